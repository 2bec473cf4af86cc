"""Expected statistics, computed from exact fractions: one line of hex doubles in, one line out.

usage: oracle.py WHAT < series
"""
import math
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


ANSWERS = {"moments": moments}


def main():
    answer = ANSWERS[sys.argv[1]]
    for line in sys.stdin:
        values = [float.fromhex(word) for word in line.split()]
        print(*(float(value).hex() for value in answer(values)))


main()
