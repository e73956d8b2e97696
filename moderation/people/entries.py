"""The entries of a person in the lists of staff, as their `UserInfo` asks for them.

The stream worker keeps them (`moderation/stream_handlers/list_among_people.py`), and `reconcile` mends them.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from accounts.models import UserInfo
from accounts.restrictions import FOR_EVER
from moderation.models import PersonEntry
from socialsite.table import ids, keys
from socialsite.table.reading import RawItem, fetch, key_of
from socialsite.table.row import row
from socialsite.table.writing import write_batch


def entries_of(info: UserInfo) -> list[PersonEntry]:
    """Returns the entries of a person: among those who signed up in a month and, with a restriction, among the
    restricted, under its latest end."""
    user_id = info.user_id
    month = f"{ids.time_of(user_id):%Y-%m}"
    entries = [PersonEntry(*keys.new_person(month, user_id), user_id=user_id)]
    ends = (info.limited_until, info.frozen_until, info.suspended_until)
    if until := max(end or "" for end in ends):
        entry = PersonEntry(*keys.restricted_person(user_id, until), user_id=user_id)
        if until < FOR_EVER:
            entry.ttl = datetime.fromisoformat(until)
        entries.append(entry)
    return entries


def mend_entries(infos: Iterable[RawItem], entries: Sequence[RawItem]) -> None:
    """Adds the missing entries of these people, and deletes entries to which nobody has a right any more.

    Consistent BatchGetItems of the entries and of their people, 1 read unit each. If a person changes meanwhile, the
    stream brings that later.
    """
    wanted = {entry.key: entry for raw in infos for entry in entries_of(row(UserInfo, raw))}
    present = fetch(wanted, consistent=True)
    owners = [keys.user_info(row(PersonEntry, raw).user_id) for raw in entries]
    found = fetch(owners, consistent=True)
    theirs = (row(UserInfo, raw) for raw in found.values())
    rightful = {entry.key for info in theirs for entry in entries_of(info)}
    write_batch(
        puts=[entry for key, entry in wanted.items() if key not in present],
        deletes=[key_of(raw) for raw in entries if key_of(raw) not in rightful],
    )
