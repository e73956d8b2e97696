"""dynoxide as the embedded engine: one native program that keeps its tables in SQLite.

Which file answers what
    program.py         how it is found, started and recognised
    binary.py          which file it is on this machine, verified by checksum
    package.py         fetching it with npm
    stream_records.py  the stream's index and trimming
    expired_items.py   deletion of items past their time to live

What is worked around, and why (version 1.2.1)
    Every write looks through all stream records, which are never deleted: a put takes 2.4 ms at
    first, 38 ms at 100,000 records and 201 ms at 300,000. With an index of ours it takes 2.7 ms
    at 300,000, and records older than 24 hours are trimmed, as on Amazon.
    Expired items are never deleted: a sweeper does it every 30 seconds, through the API, so that
    each deletion is in the stream. It carries no `userIdentity`.
    The database file is not locked, and two engines on it would each trust their own memory of
    the tables: one owner per data folder, under a lock that the kernel drops when it dies.
    It checks no signature, origin or host, so every program and web page that finds it reads and
    writes everything: it listens at a random address of 127.0.0.0/8 and a random port, new at each
    start and written to a file that only this user can read. Its own files are made with umask 077.
    Idempotency tokens of transactions are forgotten at a restart: never lean on the token alone.

Killing the engine at any moment lost no acknowledged write and left no half transaction (18,000
writes in 10 rounds); it syncs each write to the disk.
"""
