"""What a relationship means and how it is written: the conditions and actions that the writes of each behaviour put
together, what any of them refuses, one-sided relationships, and what a person notes about others: circles and a
private note."""

import logging
from collections.abc import Collection
from datetime import datetime

from cryptography.exceptions import InvalidTag
from pynamodb.expressions.update import Action

from accounts.credentials.reencrypt import key_to_seal
from accounts.encryption.person_keys import NoPersonKey, OpenKey, open_person_key
from accounts.models import UserInfo
from accounts.people.restrictions import must_be_there
from accounts.people.viewer import Viewer
from relations.models import COPYING, Relation, RelationType
from socialsite.clock import utc_now, utc_now_iso
from socialsite.site_settings.levels import Level
from socialsite.table import (
    AlreadyExists,
    Change,
    Check,
    Erase,
    Key,
    Moved,
    NotFound,
    RawItem,
    TableError,
    Upsert,
    WriteAction,
    access_pattern,
    change,
    fetch,
    key_of,
    keys,
    row,
    transact,
)
from socialsite.texts import fold

ABSENT = Relation.pk.does_not_exist()
IN_FORCE = Relation.delete_status == False  # noqa: E712 - a condition, not a comparison
NOT_IN_FORCE = ABSENT | (Relation.delete_status == True)  # noqa: E712
UNBLOCKED = ABSENT | (
    (Relation.delete_status == True) & Relation.blocked_by.does_not_exist()  # noqa: E712
)

KEEP_BEGINNING = Relation.first_at.set(Relation.first_at | Relation.created_at)

NOTE = "note"  # the attribute

log = logging.getLogger(__name__)


class AlreadyRelated(AlreadyExists):
    """The relationship is already in force."""


class NotRelated(NotFound):
    """No such relationship is in force."""


class Blocked(TableError):
    """One of the two people blocks the other."""


class CannotRelateToYourself(TableError):
    """The two people are the same person."""


def relate(
    user_id: str,
    relation_type: RelationType,
    other_id: str,
    *,
    tags: Collection[str] = (),
    note: bytes = b"",
    location: str = "",
    gender: str = "",
    level: str = "",
    until: datetime | None = None,
    quietly: bool = False,
    otherwise: type[TableError] = AlreadyRelated,
) -> Upsert:
    """Puts a relationship in force, or back in force. One that ended begins anew: `created_at` is now, `first_at`
    stays, and tags and note are those given, not those of before. Circles say who sees posts, so nobody is back in
    one unasked."""
    now = utc_now_iso()
    actions: list[Action] = [
        Relation.user_id.set(user_id),
        Relation.other_id.set(other_id),
        Relation.relation_type.set(relation_type),
        Relation.created_at.set(now),
        Relation.update_time.set(now),
        Relation.delete_status.set(False),
        Relation.relation_target.set(keys.relation_target(relation_type, other_id)),
        Relation.tags.set(set(tags)) if tags else Relation.tags.remove(),
        Relation.note.set(note) if note else Relation.note.remove(),
    ]
    actions += copy_profile(location, gender, level)
    actions.append(Relation.until.set(until.isoformat()) if until else Relation.until.remove())
    actions.append(Relation.quietly.set(True) if quietly else Relation.quietly.remove())
    key = keys.relation(user_id, relation_type, other_id)
    is_over = NOT_IN_FORCE | (Relation.until <= now)  # a mute that ended by itself
    return Upsert(Relation, key, actions, condition=is_over, otherwise=otherwise)


def shown_level(info: UserInfo) -> str:
    """Returns the level that a person shows, empty if they show none."""
    return Level.of(info.level) if info.shows_level else ""


def profile_copies(location: str, gender: str, level: str) -> dict[str, str]:
    """Returns what a relationship holds of the other person's profile, by attribute: place and pronouns as they are
    written, and folded, as DynamoDB can compare them. Pronouns are folded with a space around each word, so that
    `she/her` is found by "she" and not by "he". `level` is as `shown_level` returns it."""
    return {
        "location": location,
        "gender": gender,
        "folded_location": fold(location),
        "folded_gender": fold_gender(gender),
        "level": level,
    }


def fold_gender(text: str) -> str:
    """Returns pronouns as they are compared, empty if there are none."""
    return f" {words} " if (words := fold(text)) else ""


def copy_profile(location: str, gender: str, level: str) -> list[Action]:
    """Returns the actions that bring the copies up to date."""
    copies = profile_copies(location, gender, level).items()
    attributes = [(Relation.get_attributes()[name], value) for name, value in copies]
    return [one.set(value) if value else one.remove() for one, value in attributes]


def end_relation(
    user_id: str,
    relation_type: RelationType,
    other_id: str,
    *,
    otherwise: type[TableError] = NotRelated,
) -> Change:
    """Ends a relationship softly: the item stays, but is not in force and not in the index. Tags and note go at once,
    as nobody could see or delete them any more. A friendship or favourite keeps when it first began."""
    actions: list[Action] = [
        Relation.delete_status.set(True),
        Relation.update_time.set(utc_now_iso()),
        Relation.relation_target.remove(),
        Relation.subscribed.remove(),
        Relation.tags.remove(),
        Relation.note.remove(),
    ]
    if relation_type in COPYING:
        actions.append(KEEP_BEGINNING)
    key = keys.relation(user_id, relation_type, other_id)
    return Change(Relation, key, actions, condition=IN_FORCE, otherwise=otherwise)


def end_one_sided(
    user_id: str,
    relation_type: RelationType,
    other_id: str,
    *,
    otherwise: type[TableError] = NotRelated,
) -> list[WriteAction]:
    """Ends a relationship softly and, with a favourite, the notifications of their posts."""
    ended = end_relation(user_id, relation_type, other_id, otherwise=otherwise)
    if relation_type != RelationType.FAVOURITE:
        return [ended]
    return [ended, Erase(keys.post_subscriber(other_id, user_id))]


def no_block(user_id: str, other_id: str) -> Check:
    """Returns the condition that neither person blocks the other, for a transaction. One item covers both
    directions."""
    key = keys.relation(user_id, RelationType.BLOCK, other_id)
    return Check(key, condition=UNBLOCKED, otherwise=Blocked)


def seal_note(text: str, *, key: OpenKey, place: Key) -> bytes:
    """Seals a private note for the relationship at `place`. The transaction that writes it includes `key.check()`."""
    return key.seal(text, key=place, attribute=NOTE)


def note_of(raw: RawItem | None, *, owner_id: str) -> str:
    """Returns the private note in someone's own raw relationship, empty if there is none, or none that can be read.

    0.5 read units if there is one, as `open_person_key`.
    """
    note = row(Relation, raw or {}).note
    if not note or isinstance(note, str):  # notes from before people had keys are readable
        return note or ""
    place = key_of(raw or {})
    try:
        return open_person_key(owner_id).unseal(note, key=place, attribute=NOTE)
    except (NoPersonKey, InvalidTag):
        log.error("the note at %s cannot be read", place)
        return ""


def is_in_force(raw: RawItem | None) -> bool:
    """Whether a raw relationship is in force: not ended, and not past its end."""
    if raw is None:
        return False
    relation = row(Relation, raw)
    if relation.delete_status:
        return False
    return not relation.until or datetime.fromisoformat(relation.until) > utc_now()


def blocks_either_way(raw: RawItem | None) -> bool:
    """Whether someone's raw block says that they block the other person, or that the other person blocks them."""
    return raw is not None and (is_in_force(raw) or "blocked_by" in raw)


class TooManyFriends(TableError):
    """One of the two has reached the limit of friends."""


class TooManyFavourites(TableError):
    """The person has reached the limit of favourites."""


class TooManyFollowed(TableError):
    """The person has reached the limit of follows."""


class TooManyWithoutReposts(TableError):
    """The person hides the reposts of as many people as they can."""


class NotAFavourite(NotRelated):
    """The person is not a favourite."""


LONGEST_NOTE = 2_000  # characters


@access_pattern
def create_relation(
    *,
    by: Viewer,
    relation_type: RelationType,
    user_id: str,
    tags: Collection[str] = (),
    note: str = "",
    until: datetime | None = None,
) -> None:
    """Creates a relationship, or begins an ended one anew: `created_at` is now, `first_at` stays, and tags and note are
    those given. Raises `NotFound` if the person is gone, `AlreadyRelated`, `Blocked`.

    One BatchGetItem of their info, to copy location and gender, then one TransactWriteItems: the Relation, with checks
    of the info and the block, 7 write units. In all 7 write units, 9 with a note, and 0.5 read units. With a note,
    `key_to_seal` and a check of the key, 2 more.
    """
    if by.user_id == user_id:
        raise CannotRelateToYourself
    info_key = keys.user_info(user_id)
    info = row(UserInfo, fetch([info_key]).get(info_key, {}))
    key = key_to_seal(by.user_id) if note else None
    place = keys.relation(by.user_id, relation_type, user_id)
    transact(
        relate(
            by.user_id,
            relation_type,
            user_id,
            tags=tags,
            note=seal_note(note, key=key, place=place) if key else b"",
            location=info.location,
            gender=info.gender,
            level=shown_level(info),
            until=until,
        ),
        must_be_there(user_id),
        no_block(by.user_id, user_id),
        *([key.check()] if key else []),
    )


@access_pattern
def update_relation(
    *,
    by: Viewer,
    relation_type: RelationType,
    user_id: str,
    tags: Collection[str] | None = None,
    note: str | None = None,
) -> None:
    """Sets the tags or the note of a relationship in force, and `update_time`. None leaves a value as it is. Raises
    `NotRelated`.

    One UpdateItem, 3 write units with its move in `typeIndex`. With a note, `key_to_seal` and one TransactWriteItems of
    the Relation and a check of the key, 6 write units.
    """
    place = keys.relation(by.user_id, relation_type, user_id)
    key = key_to_seal(by.user_id) if note else None
    actions: list[Action] = [Relation.update_time.set(utc_now_iso())]
    if tags is not None:
        actions.append(Relation.tags.set(set(tags)) if tags else Relation.tags.remove())
    if key:
        actions.append(Relation.note.set(seal_note(note or "", key=key, place=place)))
        transact(Change(Relation, place, actions, IN_FORCE, NotRelated), key.check())
        return
    if note is not None:
        actions.append(Relation.note.remove())
    change(Relation, place, actions, condition=IN_FORCE, otherwise=NotRelated)


@access_pattern
def delete_relation(*, by: Viewer, relation_type: RelationType, user_id: str) -> None:
    """Ends a relationship softly, and with a favourite the notifications of their posts. Safe to repeat. One
    TransactWriteItems, 3 write units, of a favourite 5."""
    try:
        transact(*end_one_sided(by.user_id, relation_type, user_id))
    except NotRelated:
        return


@access_pattern
def seal_earlier_note(raw: RawItem) -> bool:
    """Seals the readable note in someone's raw relationship; False if there is none, or it has changed since it was
    read. Raises `NotFound` if its owner is gone.

    As `key_to_seal`; one TransactWriteItems of the Relation and a check of the key, 5 write units.
    """
    relation, place = row(Relation, raw), key_of(raw)
    if not isinstance(relation.note, str):
        return False
    key = key_to_seal(relation.user_id)
    sealed = [Relation.note.set(seal_note(relation.note, key=key, place=place))]
    as_read = Relation.note == relation.note
    try:
        transact(Change(Relation, place, sealed, as_read, Moved), key.check())
    except Moved:
        return False
    return True
