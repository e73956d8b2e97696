"""The lens: what a page asked of the table, in order, with keys, items, units, time and money.

middleware.py  keeps the calls of a request for people with the right, and adds the drawer
right.py       who has it
calls.py       a call as the drawer shows it
items.py       what came back, by type and size
patterns.py    the access pattern behind a call: its number, and where its code is
sight.py       the last requests with their calls
chart.py       the key chart, as the code has it
table.py       a partition as it is stored
seven.py       the seven patterns of the published model, run on live data
code.py        a request as a command to copy
naive.py       what the same page would cost in other designs
prices.py      units as money
followed/      what the worker then did with what a request wrote
"""
