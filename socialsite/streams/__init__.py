"""What happens after a write: the worker reads the table's stream and runs each app's `stream_handlers`.

- `source.py`    reading the stream: shards, iterators, records
- `change.py`    a stream record as a typed change
- `dispatch.py`  which handler hears of which change
- `ledger.py`    sums and checkpoint, committed in one transaction
- `lease.py`     who works on a shard
- `reader.py`    where a worker stands in a shard
- `late_writes.py` what a worker may write after it lost its lease
- `batch.py`     a batch of records, applied and committed
- `gaps.py`      records that were trimmed unread
- `lineage.py`   which shards may be read
- `host.py`      whether our workers or Lambda work on it; `hand_over.py` from one to the other
- `worker.py`    the loop: lease, read, dispatch, commit
"""
