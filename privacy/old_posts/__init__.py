"""Deleting many posts of a person, at once or when they reach an age. The worker does it (`stream_handlers/`).

choice.py      what goes and what stays, and how that is told from an item
forms.py       how people choose it
preview.py     how many posts would go
state.py       the standing wish, and how far the worker has got
runs.py        a run of the worker: its job, and what is noted of it
invariants.py  what must hold
"""
