"""The lens: what a page asked of the table, in order, with keys, items, units, time and money.

middleware.py  keeps the calls of a request for people with the right, and adds the drawer
right.py       who has it
sight.py       the last requests with their calls
calls.py       a call as the drawer shows it
requests/      what its request says: actions, expressions, keys, and what is covered
items.py       what came back, by type and size
patterns.py    the access pattern behind a call: its number, and where its code is
code.py        a request as a command to copy
figures/       budgets of pages, and what the same page would cost in other designs
chart.py       the key chart, as the code has it
table.py       a partition as it is stored; what is said about its items: browser/
uses.py        which function reads and writes which items, as the tests recorded it
seven.py       the seven patterns of the published model, run on live data
followed/      what the worker then did with what a request wrote
concepts/      the building blocks of the table, one page each
"""
