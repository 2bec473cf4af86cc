class A(B, metaclass=C):
    x: int = 1
    @property
    async def f(self, *a, k=1, **kw) -> int:
        async with a as b, c:
            await d
        def g():
            return lambda m, n=1: (yield)
        while a and b or not c:
            break
        else:
            continue
