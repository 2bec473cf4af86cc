a
if b:
  c  d
# ef
