"""People are listed in the directory under what they are called now."""

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
    """Someone came, was renamed or is gone: puts the entries of their present name, deletes those of the others.

    One consistent read of the info and one TransactWriteItems of at most ten entries and twice as many deletions, 2 W
    each; a transaction, as that of a worker that was replaced meanwhile is refused. Nothing for changes of the rest of
    the profile. Twice is safe, and so is any order: what is put is what the info
    says now, and entries that an older name left behind are dropped by every search.
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
    """Handle and name; None for no info, and for one that came back from a dead letter, which keeps no names."""
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
