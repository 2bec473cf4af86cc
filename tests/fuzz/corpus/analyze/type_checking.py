if typing.TYPE_CHECKING:
    import a
    import b
    import c
while TYPE_CHECKING: pass
