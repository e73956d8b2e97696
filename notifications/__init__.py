"""What people are told: who followed, liked, answered, mentioned or asked them.

kinds.py            the kinds of notifications, and their groups
models.py           a group of notifications
choices.py          what a person wants to be told
plan.py             what a batch of the stream changes for those it tells (`stream_handlers/`)
heard.py            which of the causes still hold, and are wanted
ring.py             the changes of one person's bell and groups
access_patterns.py  the page, and what a waiting page asks for
cards.py            a notification in words
invariants.py       what must always hold
seed.py             the notifications of demo people
"""
