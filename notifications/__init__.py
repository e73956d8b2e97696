"""What people are told: who followed, liked, answered, mentioned or asked them, and what favourites posted.

What there is to tell stands in the `notices` of the rooms that cause it (`socialsite/telling.py`).

models.py           a group of notifications
stream_handlers.py  whom a change of the table notifies
delivery.py         which candidates still hold and may be sent, and how they become lines of the inbox
reads.py, views.py  the page, and what an open page asks for
cards.py            a notification in words
writes.py           reading and choosing
digest/             letters with what a person missed
checks.py           what must always hold
seed.py             the notifications of demo people
"""
