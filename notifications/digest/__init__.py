"""Letters with what a person missed: a digest each day or week, and one about what nobody read for a day.

reads.py            what is new for someone, and what of it is unread for long
letters.py          how that is said
stream.py           the letters, as the clock writes them (`accounts/mail/regular.py`)
forms.py, views.py  asking for them, and seeing one
"""
