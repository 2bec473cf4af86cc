print 'a', b
exec 'c' in d
raise E, 'x'
`a`
