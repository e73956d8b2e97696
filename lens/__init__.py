"""The lens: what a page asked of the table, in order, with keys, items, units, time and money.

middleware.py          keeps the calls of a request for people with the right, and adds the drawer
access.py              who has it
sight.py               the last requests with their calls
calls.py               a call as the drawer shows it: what its request says, what is covered, what came back
patterns.py            the access pattern behind a call: its number, its code, what it reads and writes
figures.py             budgets of pages, and what the same page would cost in other designs
chart.py               the key chart, as the code has it
browser/               the table partition by partition, and what is said about its items
published_patterns.py  the seven patterns of the published model, run on live data
followed.py            what the worker then did with what a request wrote
concepts/              the building blocks of the table, one page each
"""
