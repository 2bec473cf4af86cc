def f(a, *b, c=1, **d):
    """doc"""
    if a and b or c:
        return [x for x in a if x]
    elif b: pass
    else:
        raise E from e
