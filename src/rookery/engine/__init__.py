"""How a hand is played: kernels, one source for plain Python, Numba and GPUs.

In all kernels ``table`` is the rules, ``s`` what lies open and ``h`` what lies face down. A card is
a number from 0 to 56. A set of cards is a mask with bit ``c`` for card ``c``, a set of seats one
with bit ``k`` for seat ``k``. Points are game points, and -1 is nobody or none. A ``list[int]`` is
a list or an int64 array of one dimension.

A hand goes through `deal`, `auction`, `nest`, `declaration`, `trick` and `score`; `actions` puts
them together, and `match` goes from hand to hand. Square brackets in comments name the source of a
rule.
"""
