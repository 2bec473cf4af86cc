try:
    a
except B as c:
    raise D from c
except* E:
    pass
else:
    f
finally:
    g
