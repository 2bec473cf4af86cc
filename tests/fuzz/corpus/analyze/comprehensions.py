z = [a for b in c if d async for e in f], {g: h for i in j}, {*k, **l}, (m for n in o)
