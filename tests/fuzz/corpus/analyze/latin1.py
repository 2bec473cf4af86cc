# -*- coding: latin-1 -*-
x = "é"y = 1
