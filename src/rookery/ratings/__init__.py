"""How well people play, against what bots score on the same cards.

A board is one finished hand. `baseline` says what bots made of its cards, `boards` what is left of
a result without that, and `estimate` who that is due to. `family` keeps rules apart that are played
unlike each other. Nothing here reads or writes anything; docs/design/ratings.md gives the reasons.
"""
