@a.b(c)
def f(x, /, y, *, z):
    '''doc'''
    return g.h(x, y=z)
