"""What is left of people who were erased, in items that no key leads to: found by looking at every item.

Pointers and copies are deleted. Where someone else's item names the person, the name is taken out, or another id stands
there that nobody ever has, so that an answer still knows that it answers something.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any

from pynamodb.expressions.update import Action

from accounts.models import Bell, unseen_group
from feed.models import Reply, ThreadGate
from notifications.models import Notification
from relations.models import Suggestions
from socialsite.streams.archive import OF_CASES
from socialsite.table import keys
from socialsite.table.actions import Change, Erase
from socialsite.table.errors import NotFound
from socialsite.table.item import Item
from socialsite.table.reading import RawItem, key_of
from socialsite.table.row import row
from socialsite.table.writing import change, transact

NOBODY = "0" * 26  # an id of the year 1970
# What moderators and the site keep, as the receipt says.
EVIDENCE = OF_CASES | {"AuditEntry", "AuditHead"}
# A former handle expires by itself; ways in were deleted by the clock, and the stream worker may not touch them.
LEFT_ALONE = EVIDENCE | {
    "Credentials",
    "EmailClaim",
    "Erasure",
    "HandleClaim",
    "PersonKey",
    "SignIn",
}
REFERENCES = {
    "root_author_id",
    "reply_to_author_id",
    "quote_of_author_id",
    "repost_of_author_id",
}
FOUND_ANEW = {Suggestions.__name__}  # by the worker, when their owner's next page asks
KEPT_PLACES = {Reply.__name__, ThreadGate.__name__}  # for the answers below them


def clear(raw: RawItem, erased: Collection[str]) -> bool:
    """Deletes or mends an item that names someone who was erased. Returns whether it did. Safe to repeat.

    2 write units to delete or to mend, on condition that what it takes out is still there.
    """
    kind = raw.get("type", {}).get("S", "")
    named = [user_id for user_id in erased if user_id in str(raw)]
    if not named or kind in LEFT_ALONE:
        return False
    if kind in FOUND_ANEW or is_theirs(raw, named):
        if kind == Notification.__name__:
            _unring(raw)
        transact(Erase(key_of(raw)))
        return True
    model = type(Item.from_raw_data(_copy(raw)))
    actions = list(_without(model, raw, kind, named))
    if actions:
        with suppress(NotFound):  # deleted meanwhile
            transact(Change(model, key_of(raw), actions))
    return bool(actions)


def is_theirs(raw: RawItem, named: Sequence[str]) -> bool:
    """Whether the item is about the person alone: its key names them, or it is a copy of something of theirs."""
    kind, key = raw.get("type", {}).get("S", ""), key_of(raw)
    if any(user_id in key.pk or user_id in key.sk for user_id in named):
        return True
    if kind in KEPT_PLACES:
        return False
    owners = (
        raw.get(name, {}).get("S") for name in ("author_id", "user_id", "other_id", "subject_id")
    )
    return any(owner in named for owner in owners)


def _unring(raw: RawItem) -> None:
    """Takes a notification off its person's badge before it goes. 1 write unit."""
    notification = row(Notification, raw)
    group = notification.place[keys.TIME :]
    seen = [unseen_group(group).remove(), Bell.changes.add(1)]
    with suppress(NotFound):
        change(Bell, keys.bell(notification.user_id), seen, condition=unseen_group(group).exists())


def _without(model: type[Item], raw: RawItem, kind: str, named: Sequence[str]) -> Iterator[Action]:
    """Yields the changes that take the person out of someone else's item."""
    for name, attribute in model.get_attributes().items():
        value: dict[str, Any] = raw.get(attribute.attr_name, {})
        path = getattr(model, name)
        if value.get("S") in named:
            if name in REFERENCES or kind in KEPT_PLACES:
                yield path.set(NOBODY)
            else:
                yield path.remove()
        elif "SS" in value:
            left = {one for one in value["SS"] if not _names(one, named)}
            if left != set(value["SS"]):
                kept = left | {NOBODY} if name == "actors" else left
                yield path.set(kept) if kept else path.remove()
        elif "M" in value:
            for entry, held in value["M"].items():
                if _names(entry, named) or _names(str(held), named):
                    yield path[entry].remove()


def _names(text: str, named: Sequence[str]) -> bool:
    return any(user_id in text for user_id in named)


def _copy(raw: RawItem) -> RawItem:
    return {name: dict(value) for name, value in raw.items()}
