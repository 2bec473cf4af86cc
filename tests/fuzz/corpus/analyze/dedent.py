def f(a):
    if (a and
  b):
        return (
a)
