from . import (a as b, c,)
from ..d import *
import f.g as h, i
from __future__ import j
