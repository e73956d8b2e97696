"""Amazon's DynamoDB Local as the embedded engine: a Java program that keeps its tables in SQLite.

Which file answers what
    program.py        how it is found, started and recognised, and the access key of a data folder
    package.py        which files it needs, verified; fetching them with npm
    java.py           which Java runs it; fetching one from PyPI
    listen.xml        the server, at one address of this machine
    file.py           what is done to the database file before each start
    commits.py        waiting until a transaction is committed
    write_ahead_log.py  moving what was committed into the file
    expired_items.py  deletion of items past their time to live

What is worked around, and why (version 1.25.1)
    Its own command listens on all interfaces. Jetty, which it brings along, starts the same server at
    one address of this machine (`listen.xml`).
    It answers TransactWriteItems before the transaction is committed. Killed right after the answer, it
    had lost that transaction in 9 of 10 rounds. Its SQLite jobs run one after another, so the answer to
    any later request proves the commit: `commits.py` makes that request.
    A commit that fails is told to nobody, and in SQLite's ordinary journal every reader of the file makes
    commits fail. Copies taken beside three writers cost 1,649 of 2,943 acknowledged transactions. With
    a write-ahead log (`file.py`) they cost none of 3,421. Nothing may write to the file beside it.
    After more than a day without it, it numbers the stream's records from 1 again, and the worker's
    checkpoint would be ahead of them: the stream's clock stands still while it is stopped (`file.py`).
    Of a table with indexes it deletes only those expired items that are in every index: a sweeper does
    it (`expired_items.py`).
    On a full disk it acknowledged 250 transactions and lost 222 of them: the owner ends it before that
    (`least_free_bytes`).
    It moves its log into the file too seldom: after the demo data the log had 577 MB, and the file 25.
    The owner moves it every second; then it had 178 MB at most (`write_ahead_log.py`).
"""
