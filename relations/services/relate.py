"""One-sided relationships, such as favourites, and what a person notes about others: circles and a private note."""

from collections.abc import Collection
from datetime import datetime

from pynamodb.expressions.update import Action

from accounts.models import UserInfo
from accounts.restrictions import must_be_there
from accounts.services.reencrypt import key_to_seal
from accounts.viewer import Viewer
from relations.models import Relation, RelationType
from relations.relation import (
    IN_FORCE,
    CannotRelateToYourself,
    NotRelated,
    end_one_sided,
    no_block,
    relate,
    seal_note,
)
from socialsite.clock import utc_now_iso
from socialsite.table import keys
from socialsite.table.actions import Change
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row
from socialsite.table.writing import change, transact

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
    """Creates a relationship, or begins an ended one anew: `created_at` is now, and tags and note are those given.
    Raises `NotFound` if the person is gone, `AlreadyRelated`, `Blocked`.

    One BatchGetItem of their info, to copy location and gender, then one TransactWriteItems: the Relation, with checks
    of the info and the block, 7 write units. With a note, `key_to_seal` and a check of the key, 2 more.
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
