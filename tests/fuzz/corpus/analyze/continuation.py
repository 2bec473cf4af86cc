if (a := b) > 1: \
  c
elif d:
  e \

else: f
