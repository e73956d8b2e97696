"""What people are told: who followed, liked, answered, mentioned or asked them, and what favourites posted.

kinds.py            the kinds of notifications, and their groups
models.py           a group of notifications
choices.py          what a person opted out of
plan.py             candidates of a batch of the stream (`stream_handlers/`), and what becomes of them
filtering.py        which candidates still hold, and may be sent to the person
inbox_changes.py    the changes of one person's bell and groups
access_patterns.py  the page, and what an open page asks for
cards.py            a notification in words; `poll_sentences.py` has those of polls
invariants.py       what must always hold
seed.py             the notifications of demo people
"""
