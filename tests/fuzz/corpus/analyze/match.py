match a:
    case {"k": [1, *r]} if r:
        async def g(): await h()
    case _: pass
try: pass
except* E: pass
finally: pass
