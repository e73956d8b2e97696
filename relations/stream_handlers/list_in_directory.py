"""Lists people in the directory under their present handle and name."""

from accounts.models import UserInfo
from relations.directory import directory_entries
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.actions import Erase, Put
from socialsite.table.item import Item
from socialsite.table.keys import Key
from socialsite.table.reading import fetch
from socialsite.table.row import row
from socialsite.table.writing import transact


@on(UserInfo, "INSERT", "MODIFY", "REMOVE")
def list_in_directory(change: Change, ledger: Ledger) -> None:
    """Lists someone who signed up, was renamed or is gone: puts the entries of their present name, deletes all others.

    One consistent read of the info and one TransactWriteItems of at most ten entries and twice as many deletions, 2 W
    each; a transaction, so that it is refused if the worker was replaced meanwhile. Other changes of the profile do
    nothing. Safe to run twice and in any order: it writes what the info says now, and every search drops leftover
    entries of an older name.
    """
    old, new = change.old, change.new
    if _called(old) and _called(old) == _called(new):
        return
    info = change.item
    assert isinstance(info, UserInfo)
    here = keys.user_info(info.user_id)
    found = fetch([here], consistent=True).get(here)
    now = []
    if found is not None:
        there = row(UserInfo, found)
        now = directory_entries(user_id=info.user_id, handle=there.handle, name=there.name)
    wanted = {entry.key: entry for entry in now}
    left = [key for key in _left(old, new) if key not in wanted]
    if wanted or left:
        transact(*map(Put, wanted.values()), *map(Erase, dict.fromkeys(left)))
    ledger.note_effect()


def _called(info: Item | None) -> tuple[str, str] | None:
    """Returns handle and name, None without info, and for info from a dead letter, which keeps no names."""
    if not isinstance(info, UserInfo) or not info.handle:
        return None
    return info.handle, info.name


def _left(*infos: Item | None) -> list[Key]:
    return [
        entry.key
        for info in infos
        if isinstance(info, UserInfo) and (called := _called(info))
        for entry in directory_entries(user_id=info.user_id, handle=called[0], name=called[1])
    ]
