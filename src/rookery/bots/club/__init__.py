"""`club`: the table bot, a good partner.

It counts the cards, remembers who is out of what, works with its partner and bids what it holds.
It uses no dice: the same position always gets the same answer. ``club:partner=ignored`` takes
everybody else for a foe, ``club:signals=off`` gives its partner no signals and reads none.
"""
