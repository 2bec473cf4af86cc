x = '''unterminated
(((([[[[{{{{
