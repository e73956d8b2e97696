"""The embedded DynamoDB engine: dynoxide, one native program that keeps its tables in SQLite.

It lets `runserver` work without an account, a container or a server to install. Production uses
Amazon DynamoDB and nothing of this package.

Which file answers what
    running.py         ensure_running(): the one entry point; own the engine, or attach to it
    owner.py           what the owner does: start, keep healthy, end at exit
    lock.py            who owns the engine of a data folder, and where the others find it
    process.py         one engine process: start, recognise, end
    exec_with_owner.py binds the engine's life to its owner's (Linux)
    successor.py       takes over when the owner goes
    watch.py           whether the database file is still there and whole
    upkeep.py          when each piece of upkeep is done
    stream_records.py  the stream's index and trimming
    expired_items.py   deletion of items past their time to live
    database.py        the SQLite file, opened beside the running engine
    backup.py          back_up(): a copy of the live data
    binary.py          which program runs on this machine, verified by checksum
    install.py         python -m socialsite.engine.install: fetch it with npm
    errors.py          EngineError: one sentence that says what to do

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
writes in 10 rounds); it syncs each write to the disk. Ended unexpectedly, it is started again at
the same address within about a second. On Linux it never outlives its owner, whatever ends that.
"""
