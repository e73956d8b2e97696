"""Repairs the directory where the record of a sign-up or a new name was lost."""

from collections.abc import Iterable, Sequence

from accounts.models import UserInfo
from relations.directory import directory_entries
from relations.models import DirectoryEntry
from socialsite.table import keys
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, fetch, key_of
from socialsite.table.row import row
from socialsite.table.writing import write_batch


def mend_directory(infos: Iterable[RawItem], entries: Sequence[RawItem]) -> None:
    """Adds the missing entries of these people, and deletes entries whose name nobody has any more.

    Consistent BatchGetItems of the entries and of their people. If a person is renamed meanwhile, the stream brings
    that later.
    """
    wanted = {entry.key: entry for raw in infos for entry in _entries(raw)}
    present = fetch(wanted, consistent=True)
    owners = [keys.user_info(row(DirectoryEntry, raw).user_id) for raw in entries]
    found = fetch(owners, consistent=True)
    rightful: set[Key] = {entry.key for raw in found.values() for entry in _entries(raw)}
    write_batch(
        puts=[entry for key, entry in wanted.items() if key not in present],
        deletes=[key_of(raw) for raw in entries if key_of(raw) not in rightful],
    )


def _entries(raw: RawItem) -> Iterable[DirectoryEntry]:
    info = row(UserInfo, raw)
    return directory_entries(user_id=info.user_id, handle=info.handle, name=info.name)
