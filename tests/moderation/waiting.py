"""What the clock does about cases that wait: played until nothing is due by a moment, and what is planned after it."""

from datetime import datetime, timedelta

from accounts.people.viewer import Viewer
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import do_due
from socialsite.table import as_model, keys, query
from tests.notifications.told import told
from tests.streams.crowd import returning


def after(**later: float) -> datetime:
    return utc_now() + timedelta(**later)


def let_pass(moment: datetime) -> None:
    """The clock does everything until a moment, also what it plans meanwhile."""
    while do_due(moment):
        pass


def planned(kind: str) -> list[Due]:
    dues = (
        as_model(Due, raw)
        for shard in range(keys.DUE_SHARDS)
        for raw in query(keys.due_shard(shard), consistent=True)
    )
    return sorted((due for due in dues if due.kind == kind), key=lambda due: due.moment)


def hears(person: Viewer) -> list[str]:
    return told(returning(person))
