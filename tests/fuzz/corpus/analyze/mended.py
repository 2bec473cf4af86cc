def f():
    x = [
  1, # c
2]
    return x
