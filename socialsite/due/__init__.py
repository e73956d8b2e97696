"""Work that waits for a time, done by the stream worker: letters, the end of a grace, wishes that come every day.

The stream tells of changes and has no clock, so whatever must happen later is an item of its own, planned in the
transaction that decides on it. `work.py` has the actions and does what is due, `clock.py` looks at the time and lets
others see that it does.
"""
