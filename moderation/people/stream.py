"""Lists people for staff: by the month in which they signed up, and while they are restricted."""

from accounts.models import UserInfo
from moderation.people.reads import entries_of
from socialsite.streams import Change, Ledger, on
from socialsite.table import Erase, Item, Key, Put, fetch, keys, row, transact


@on(UserInfo, "INSERT", "MODIFY", "REMOVE")
def list_among_people(change: Change, ledger: Ledger) -> None:
    """Lists someone who signed up or is gone, or whose restriction began, ended or changed: puts the entries that the
    person has now, deletes the others.

    One consistent read of the info and one TransactWriteItems of at most four entries, 2 write units each. Other
    changes of the profile do nothing. Safe to run twice and in any order: it writes what the info says now.
    """
    old, new = _listed(change.old), _listed(change.new)
    if set(old) == set(new):
        return
    info = change.item
    assert isinstance(info, UserInfo)
    here = keys.user_info(info.user_id)
    found = fetch([here], consistent=True).get(here)
    now = {entry.key: entry for entry in entries_of(row(UserInfo, found))} if found else {}
    left = [key for key in {**old, **new} if key not in now]
    transact(*map(Put, now.values()), *map(Erase, left))
    ledger.note_effect()


def _listed(info: Item | None) -> dict[Key, None]:
    """Returns the keys of the entries in the order of the lists."""
    return {entry.key: None for entry in entries_of(info)} if isinstance(info, UserInfo) else {}
