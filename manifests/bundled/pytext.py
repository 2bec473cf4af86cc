"""Python text for the bundled panel: random but repeatable functions, modules and classes.

Everything is drawn from a Dice, so the same seed writes the same bytes on every machine and under
every Python 3.  A Style says what kind of author is imitated: how long functions get, how deep they
nest, how often something is written the long way round.
"""

import hashlib


class Dice:
    """Draws that depend on a seed and on nothing else (random.Random changed between versions)."""

    def __init__(self, seed):
        self.seed = seed
        self.n = 0

    def below(self, n):
        self.n += 1
        digest = hashlib.sha256(f"{self.seed}/{self.n}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % n

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, items):
        return items[self.below(len(items))]


class Style:
    """long_way: per cent of statements written wastefully.  nest: per cent that open a block.
    size: statements of a fresh function."""

    def __init__(self, long_way, nest, size):
        self.long_way = long_way
        self.nest = nest
        self.size = size


class Statement:
    """Lines of Python 3 and, where Python 2 spelled it otherwise, of Python 2."""

    def __init__(self, lines, lines2=None):
        self.lines = lines
        self.lines2 = lines2 or lines


class Function:
    def __init__(self, name, args, doc, body, result):
        self.name = name
        self.args = args
        self.doc = doc
        self.body = body
        self.result = result

    def copy(self, name):
        return Function(name, self.args, self.doc, list(self.body), self.result)

    def lines(self, python2, method):
        args = (["self"] if method else []) + self.args
        out = [f"def {self.name}({', '.join(args)}):", f'    """{self.doc}"""']
        for statement in self.body:
            out += indent(statement.lines2 if python2 else statement.lines)
        return out + [f"    return {self.result}"]


class Module:
    """Functions, the first N_METHODS of them as methods of one class."""

    def __init__(self, path, doc, class_name=None, n_methods=0):
        self.path = path
        self.doc = doc
        self.class_name = class_name
        self.n_methods = n_methods
        self.functions = []

    def text(self, python2):
        out = [f'"""{self.doc}"""', "", "import logging", "", "log = logging.getLogger(__name__)"]
        methods = self.functions[: self.n_methods] if self.class_name else []
        if methods:
            out += ["", "", f"class {self.class_name}(object):" if python2
                    else f"class {self.class_name}:", f'    """{self.doc}"""']
            for method in methods:
                out += [""] + indent(method.lines(python2, method=True))
        for function in self.functions[len(methods):]:
            out += ["", ""] + function.lines(python2, method=False)
        return "\n".join(out) + "\n"


def indent(lines):
    return ["    " + line if line else line for line in lines]


class Writer:
    """Writes functions about NOUNS, doing VERBS."""

    def __init__(self, dice, nouns, verbs):
        self.dice = dice
        self.nouns = nouns
        self.verbs = verbs
        self.n_names = 0

    def name(self):
        self.n_names += 1
        return f"{self.dice.pick(self.verbs)}_{self.dice.pick(self.nouns)}_{self.n_names}"

    def noun(self):
        return self.dice.pick(self.nouns)

    def expression(self, depth=0):
        a, b = self.noun(), self.noun()
        forms = [
            lambda: a,
            lambda: f"{a}.{b}",
            lambda: f"{self.dice.between(2, 90)}",
            lambda: f'"{b}"',
            lambda: f'{a}["{b}"]',
            lambda: f'{a}.get("{b}", {self.dice.below(9)})',
            lambda: f"{self.dice.pick(self.verbs)}({self.expression(depth + 1)})",
            lambda: f"{a} + {self.expression(depth + 1)}",
            lambda: f"{self.expression(depth + 1)} * {self.dice.between(2, 9)}",
            lambda: f"[part.{b} for part in {a} if part]",
            lambda: f"({self.expression(depth + 1)} if {self.condition()} else {b})",
            lambda: f"({self.expression(depth + 1)}, {self.expression(depth + 1)})",
        ]
        return self.dice.pick(forms[:6] if depth > 1 else forms)()

    def condition(self):
        a, b = self.noun(), self.noun()
        forms = [
            lambda: f"{a}",
            lambda: f"not {a}",
            lambda: f"{a} is None",
            lambda: f"{a} > {self.dice.below(50)}",
            lambda: f"{a}.{b} == {self.dice.below(50)}",
            lambda: f'"{b}" in {a}',
            lambda: f"{a} and {b}",
            lambda: f"{a} or not {b}",
            lambda: f"{a} < {b} <= {self.dice.between(50, 99)}",
            lambda: f"{a} and {b}.{a} and {b} != {self.dice.below(9)}",
        ]
        return self.dice.pick(forms)()

    def simple(self):
        a, b = self.noun(), self.noun()
        value = self.expression()
        forms = [
            lambda: Statement([f"{a} = {value}"]),
            lambda: Statement([f"{a}.{b} = {value}"]),
            lambda: Statement([f'{a}["{b}"] = {value}']),
            lambda: Statement([f"{a}.append({value})"]),
            lambda: Statement([f"{a} += {self.dice.between(1, 9)}"]),
            lambda: Statement([f'log.info("{b} %s", {a})']),
            lambda: Statement([f"assert {self.condition()}"]),
            lambda: Statement([f'print("{a}:", {b})'], [f'print "{a}:", {b}']),
            lambda: Statement([f'raise ValueError("{a}")'], [f'raise ValueError, "{a}"'])
            if self.dice.chance(20) else Statement([f"{a} = repr({b})"], [f"{a} = `{b}`"]),
        ]
        return self.dice.pick(forms)()

    def wasteful(self):
        """What could be said shorter, in the ways people and programs say it longer."""
        a, b = self.noun(), self.noun()
        number = self.dice.below(50)
        return Statement(self.dice.pick([
            [f"if {a} == True:", f"    {b} = True", "else:", f"    {b} = False"],
            [f"if len({a}) == 0:", f"    {a} = list([])"],
            [f"for i in range(len({a})):", f"    {b}.append({a}[i])"],
            [f"if {a} is not None:", f"    if {b} is not None:", f"        {a} = {b}"],
            ["try:", f"    {a} = {b}[{number}]", "except Exception:", "    pass"],
            [f"{a} = [part for part in {b}]"],
            [f"{a} = dict()", f'{a}["{b}"] = {number}'],
            [f"for key in {a}.keys():", f"    {b}[key] = {a}[key]"],
            [f"{a} = {a} + {number}", f"{b} = str(f\"{{{a}}}\")"],
            [f"if not {a} is None and isinstance({a}, dict) == True:", f"    {b} = {a}"],
            [f"result_{a} = {self.expression()}", f"{b} = result_{a}"],
        ]))

    def ladder(self):
        """A chain of elif on one name: the shape in which functions grow."""
        name = self.noun()
        lines = []
        for i in range(self.dice.between(2, 5)):
            lines += [f'{"elif" if i else "if"} {name} == "{self.noun()}":']
            for _ in range(self.dice.between(1, 2)):
                lines += indent(self.simple().lines)
        return Statement(lines)

    def block(self, style, depth):
        """A compound statement around others; the Python 2 text is built beside the other."""
        a, b = self.noun(), self.noun()
        head, tail, tail2 = self.dice.pick([
            ([f"if {self.condition()}:"], [], []),
            ([f"if {self.condition()}:"], ["else:", f"    {a} = {self.expression()}"], None),
            ([f"for {a} in {b}:"], [], []),
            ([f"for {a}, {b} in sorted({a}.items()):"], [], []),
            ([f"while {self.condition()}:"], [], []),
            (["try:"], ["except (KeyError, ValueError) as error:", '    log.warning("%s", error)'],
             ["except (KeyError, ValueError), error:", '    log.warning("%s", error)']),
            ([f"with open({a}) as {b}:"], [], []),
        ])
        inner = [self.statement(style, depth + 1) for _ in range(self.dice.between(1, 3))]
        lines = head + [x for s in inner for x in indent(s.lines)] + tail
        lines2 = head + [x for s in inner for x in indent(s.lines2)] + (tail2 or tail)
        return Statement(lines, lines2)

    def statement(self, style, depth=0):
        if self.dice.chance(style.long_way):
            return self.wasteful()
        if depth < 3 and self.dice.chance(style.nest):
            return self.ladder() if self.dice.chance(25) else self.block(style, depth)
        return self.simple()

    def function(self, style):
        args = sorted({self.noun() for _ in range(self.dice.between(1, 3))})
        size = self.dice.between(max(1, style.size // 2), style.size)
        name = self.name()
        doc = f"{name.split('_')[0].capitalize()} the {self.noun()} of a {self.noun()}."
        body = [self.statement(style) for _ in range(size)]
        return Function(name, args, doc, body, self.expression())
