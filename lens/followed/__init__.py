"""What followed from the writes of a request: the stream's record of each item, its handlers, and the commit.

written.py   the items that the request wrote
records.py   the record that each of them led to
runs.py      what a handler did with it
follow.py    all of it together, with the jobs that it began
"""
