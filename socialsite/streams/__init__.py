"""What happens after a write: the worker reads the table's stream and runs each app's `stream_handlers`. What these
need comes from here in one line.

    from socialsite.streams import Change, Ledger, on

- `shards.py`      reading the stream: shards, iterators, records, where a worker stands, what was trimmed unread
- `change.py`      a stream record as a typed change
- `dispatch.py`    which handler hears of which change
- `ledger.py`      sums and checkpoint, committed in one transaction
- `leases.py`      who works on a shard; `late_writes.py` what may be written after a lease was lost
- `worker.py`      the loop: lease, read, dispatch, commit a batch
- `hosts.py`       whether our workers or Lambda work on it; `hand_over.py` from one to the other
- `jobs.py`        long work, step by step
- `recounting.py`  setting a count right on a live site
- `archive.py`     files of what TTL removed; `leaving.py` which types leave how, `joining.py` few files of many
- `traces.py`      what was done with the last records, for the lens
"""

from socialsite.streams.change import Change as Change
from socialsite.streams.dispatch import on as on
from socialsite.streams.jobs import Step as Step
from socialsite.streams.jobs import job_step as job_step
from socialsite.streams.ledger import Ledger as Ledger
from socialsite.streams.ledger import own_part as own_part
from socialsite.streams.models import Job as Job
from socialsite.streams.models import JobKind as JobKind
