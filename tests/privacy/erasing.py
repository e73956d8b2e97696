"""A life that is led and erased, and what still names somebody."""

from datetime import timedelta
from types import SimpleNamespace

from accounts.people.viewer import Viewer
from privacy.erasure.writes import close_account
from privacy.models import Receipt
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.worker import Worker
from socialsite.table import RawItem, get, keys
from socialsite.table.reading import scan
from tests.privacy.lives import be_moderated, live, write

AFTER_THE_SEARCH = timedelta(days=3)


def lead_a_life(
    alice: Viewer, bob: Viewer, carol: Viewer, mod: Viewer, worker: Worker
) -> SimpleNamespace:
    around = live(alice, bob, carol, mod)
    worker.drain()
    said = write(alice, bob, carol)
    worker.drain()
    be_moderated(alice, bob, carol, mod, said)
    worker.drain()
    return SimpleNamespace(**vars(around), **vars(said))


def erase(person: Viewer, worker: Worker) -> str:
    """Closes the account at once and erases it; the search is still to come. Returns the receipt's id."""
    receipt_id = close_account(by=person, at_once=True)
    do_due()
    worker.drain()
    return receipt_id


def search(receipt_id: str, worker: Worker) -> Receipt:
    """When it is time."""
    do_due(utc_now() + AFTER_THE_SEARCH)
    worker.drain()
    return get(Receipt, keys.receipt(receipt_id), consistent=True)


def naming(*texts: str) -> list[RawItem]:
    """Every item of the table that names any of these anywhere."""
    return [raw for raw in scan() if any(text in str(raw) for text in texts)]


def kinds(raws: list[RawItem]) -> set[str]:
    return {raw["type"]["S"] for raw in raws}
