"""Expected statistics, computed from exact fractions: a line of hex doubles in, a line out.

usage: oracle.py WHAT < series
"""
import collections
import math
import statistics
import sys
from fractions import Fraction


def nearest_root(square):
    """The double nearest to the root of a fraction."""
    if square == 0:
        return 0.0
    scale = 1
    while square * scale * scale < 2 ** 140:
        scale *= 2
    root = math.isqrt(int(square * scale * scale))
    exact = Fraction(root, scale)
    guess = float(exact)
    candidates = [math.nextafter(guess, 0.0), guess, math.nextafter(guess, math.inf)]
    best = None
    for value in candidates:
        if best is None:
            best = value
            continue
        middle = (Fraction(best) + Fraction(value)) / 2
        if square > middle * middle:
            best = value
    return best


def moments(values):
    exact = [Fraction(value) for value in values]
    n = len(exact)
    mean = sum(exact) / n
    if n < 2:
        return float(mean), math.nan
    return float(mean), nearest_root(sum((x - mean) ** 2 for x in exact) / (n - 1))


def halves(values):
    """Two series in one line: the length of the first, then both."""
    n = int(values[0])
    return values[1:1 + n], values[1 + n:]


def cliff(values):
    before, after = halves(values)
    balance = sum((y > x) - (y < x) for x in before for y in after)
    return [balance / (len(before) * len(after))]


def mean_ranks(values):
    return [
        Fraction(2 * sum(other < value for other in values) + sum(other == value for other in values) + 1, 2)
        for value in values
    ]


def pearson(x, y):
    x, y = [Fraction(v) for v in x], [Fraction(v) for v in y]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    xy = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    square = xy * xy / (sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))
    return math.copysign(nearest_root(square), xy)


def correlations(values):
    x, y = halves(values)
    return [pearson(x, y), pearson(mean_ranks(x), mean_ranks(y))]


def signed_rank(values):
    """Every choice of signs where that is exact, else the corrected normal approximation."""
    kept = [v for v in values if v != 0]
    sizes = [abs(v) for v in kept]
    ranks = mean_ranks(sizes)
    n = len(kept)
    w_plus = sum(rank for rank, v in zip(ranks, kept) if v > 0)
    if len(set(sizes)) == n and n < 50:
        smaller = min(w_plus, Fraction(n * (n + 1), 2) - w_plus)
        ways = {0: 1}
        for rank in range(1, n + 1):
            for total, count in list(ways.items()):
                ways[total + rank] = ways.get(total + rank, 0) + count
        p = min(Fraction(1), 2 * Fraction(sum(c for t, c in ways.items() if t <= smaller), 2 ** n))
        return [float(w_plus), float(p)]
    ties = sum(sizes.count(size) ** 3 - sizes.count(size) for size in set(sizes))
    variance = Fraction(n * (n + 1) * (2 * n + 1), 24) - Fraction(ties, 48)
    away = max(Fraction(0), abs(w_plus - Fraction(n * (n + 1), 4)) - Fraction(1, 2))
    return [float(w_plus), math.erfc(float(away) / math.sqrt(2 * variance))]


def slopes(values):
    x, y = halves(values)
    exact_x, exact_y = [Fraction(v) for v in x], [Fraction(v) for v in y]
    mean_x, mean_y = sum(exact_x) / len(x), sum(exact_y) / len(y)
    fit = sum((a - mean_x) * (b - mean_y) for a, b in zip(exact_x, exact_y))
    fit /= sum((a - mean_x) ** 2 for a in exact_x)
    pairs = [
        (exact_y[k] - exact_y[i]) / (exact_x[k] - exact_x[i])
        for i in range(len(x))
        for k in range(i + 1, len(x))
    ]
    width, rise = exact_x[-1] - exact_x[0], exact_y[-1] - exact_y[0]
    return [
        float(fit),
        float(rise / width),
        float(rise / (len(x) - 1)),
        float(statistics.median(pairs)),
        float(fit * width),
    ]


BOOTSTRAP_ROUNDS = 2000


def splitmix(state):
    """The sequence of 64-bit numbers that the seed determines."""
    mask = 2**64 - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


def quantile(ordered, share):
    at = Fraction(share) * (len(ordered) - 1)
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (at - below) * (ordered[above] - ordered[below])


def bootstrap(values):
    """Seed, then values: the interval of the median and, from the same seed, of the mean."""
    scale = 2**80  # makes whole numbers of the doubles that are asked
    seed, values = int(values[0]), [int(Fraction(value) * scale) for value in values[1:]]
    n, numbers = len(values), splitmix(seed)
    draws = [
        sorted(values[((next(numbers) >> 32) * n) >> 32] for _ in values)
        for _ in range(BOOTSTRAP_ROUNDS)
    ]
    medians = sorted(Fraction(draw[(n - 1) // 2] + draw[n // 2], 2 * scale) for draw in draws)
    means = sorted(Fraction(sum(draw), n * scale) for draw in draws)
    ends = (Fraction(1, 40), Fraction(39, 40))
    return [float(quantile(ordered, end)) for ordered in (medians, means) for end in ends]


def clusters(values):
    """Seed, clusters, values before, then value and cluster of each before and after: the interval of
    median after less median before when clusters are drawn.  In plain doubles, to the last bit."""
    seed, n_clusters, n_before = (int(value) for value in values[:3])
    pairs = list(zip(values[3::2], (int(cluster) for cluster in values[4::2])))
    sides = [collections.defaultdict(list), collections.defaultdict(list)]
    for i, (value, cluster) in enumerate(pairs):
        sides[i >= n_before][cluster].append(value)
    if min(len(side) for side in sides) < 2:
        return [math.nan, math.nan]
    numbers, shifts = splitmix(seed), []
    for _ in range(BOOTSTRAP_ROUNDS):
        drawn = [((next(numbers) >> 32) * n_clusters) >> 32 for _ in range(n_clusters)]
        before, after = ([v for cluster in drawn for v in side[cluster]] for side in sides)
        if before and after:
            shifts.append(statistics.median(after) - statistics.median(before))
    shifts.sort()
    ends = []
    for share in (0.025, 0.975):
        at = share * (len(shifts) - 1)
        low = shifts[int(at)]
        ends.append(low + (shifts[min(int(at) + 1, len(shifts) - 1)] - low) * (at - int(at)))
    return ends


def order(values):
    """Least, largest, median and some quantiles."""
    ordered = sorted(Fraction(value) for value in values)
    shares = (Fraction(1, 40), Fraction(1, 4), Fraction(9, 10), Fraction(39, 40))
    return [min(values), max(values), statistics.median(values), *(float(quantile(ordered, s)) for s in shares)]


def intervals(values):
    """The mean less and plus t times its standard error; t by bisection over Student's distribution."""
    n = len(values)
    mean, deviation = moments(values)
    half = student_t(n - 1) * deviation / math.sqrt(n)
    return [mean - half, mean + half]


def student_t(degrees):
    """The two-sided 95 % quantile, to the three places of printed tables."""

    def below(t):
        """The share of Student's distribution between -t and t, by Simpson's rule."""
        scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2))
        scale /= math.sqrt(degrees * math.pi)
        steps = 400
        total = 0.0
        for i in range(steps + 1):
            weight = 1 if i in (0, steps) else 4 if i % 2 else 2
            x = t * i / steps
            total += weight * (1 + x * x / degrees) ** (-(degrees + 1) / 2)
        return 2 * scale * total * t / (3 * steps)

    low, high = 0.0, 20.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < 0.95 else (low, middle)
    return round((low + high) / 2, 3)


ANSWERS = {
    "moments": moments,
    "cliff": cliff,
    "correlations": correlations,
    "signed_rank": signed_rank,
    "slopes": slopes,
    "bootstrap": bootstrap,
    "clusters": clusters,
    "order": order,
    "intervals": intervals,
}


def main():
    answer = ANSWERS[sys.argv[1]]
    for line in sys.stdin:
        values = [float.fromhex(word) for word in line.split()]
        print(*(float(value).hex() for value in answer(values)))


main()
