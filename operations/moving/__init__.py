"""`manage.py move`: a site goes to another place with all it has, from one machine to Amazon and back.

It is copied while people use it, again and again, each time only what differs. Then it is only read for a moment: the
worker's stream is drained, the last differences follow, and both places are compared item by item. The mark of
`DataState` (`socialsite/table/data_state.py`) sees to it that one of them at most is a site.

Which file answers what
    place.py         a place: its table, its files, and how it stands
    items.py         one pass: what of the table differs there, and what the pass costs
    files.py         the same of files, in folders or buckets
    checkpoints.py   the new stream: its worker begins behind the copy
    move.py          the order of it all, and what is refused
    moment.py        another way to a new table: Amazon's restore of an earlier moment
    erased_since.py  who was erased since then, and is back with it
"""
