"""What happens after a write: the worker reads the table's stream and runs each app's `stream_handlers`.

- `source.py`    reading the stream: shards, iterators, records
- `change.py`    a stream record as a typed change
- `dispatch.py`  which handler hears of which change
- `ledger.py`    sums and checkpoint, committed in one transaction
- `lease.py`     who works on a shard
- `worker.py`    the loop: lease, read, dispatch, commit
"""
