def f(a, b):
    for x in a:
        if x > 1:
            b.append(x)
    return b

def g(c, d):
    for y in c:
        if y > 2:
            d.append(y)
    return d
