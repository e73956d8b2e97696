"""What happens after a write: the worker reads the table's stream and runs each app's `stream_handlers`.

- `shards/source.py`    reading the stream: shards, iterators, records
- `change.py`    a stream record as a typed change
- `dispatch.py`  which handler hears of which change
- `ledger.py`    sums and checkpoint, committed in one transaction
- `leases/lease.py`     who works on a shard
- `shards/reader.py`    where a worker stands in a shard
- `leases/late_writes.py` what a worker may write after it lost its lease
- `batch.py`     a batch of records, applied and committed
- `shards/gaps.py`      records that were trimmed unread
- `shards/lineage.py`   which shards may be read
- `leases/host.py`      whether our workers or Lambda work on it; `leases/hand_over.py` from one to the other
- `traces.py`    what was done with the last records, for the lens
- `worker.py`    the loop: lease, read, dispatch, commit
"""
