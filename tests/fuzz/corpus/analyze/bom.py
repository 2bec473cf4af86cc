class A(B, metaclass=C):
	@d
	def e(self) -> int: ...

type X[T] = list[T]
