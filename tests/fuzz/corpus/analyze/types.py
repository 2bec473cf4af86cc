type A[T: int, *U] = list[T]
def g[T](x: T): global y; nonlocal z
