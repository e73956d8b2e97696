"""Relationships in numbers, put straight into the table."""

from datetime import UTC, datetime, timedelta

from accounts.people.viewer import Viewer
from relations.models import Relation, RelationType
from socialsite.table import ids, keys, write_batch

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


def relation(
    user_id: str,
    kind: RelationType,
    other_id: str,
    *,
    ended: bool = False,
    tags: tuple[str, ...] = (),
    at: datetime = LONG_AGO,
    is_indexed: bool | None = None,
) -> Relation:
    """A relationship as the services write it: one that ended is not in the index, unless the scene wants it there."""
    in_index = not ended if is_indexed is None else is_indexed
    return Relation(
        *keys.relation(user_id, kind, other_id),
        user_id=user_id,
        other_id=other_id,
        relation_type=kind,
        tags=set(tags) or None,
        location="Uppsala",
        gender="she/her",
        created_at=LONG_AGO.isoformat(),
        update_time=at.isoformat(),
        delete_status=ended,
        relation_target=keys.relation_target(kind, other_id) if in_index else None,
    )


def relate_many(
    viewer: Viewer, kind: RelationType, count: int, *, ended_every: int = 0, tag_every: int = 0
) -> None:
    """So many relationships of a type, of which some have ended and some have the tag `choir`."""
    write_batch(
        puts=[
            relation(
                viewer.user_id,
                kind,
                ids.new_id(),
                ended=bool(ended_every) and number % ended_every == 0,
                tags=("choir",) if tag_every and number % tag_every == 1 else (),
            )
            for number in range(count)
        ]
    )


def requests_to(user_id: str, count: int, *, ended: bool, is_indexed: bool, first: int) -> None:
    """So many follow requests to a person, a second after each other."""
    kind = RelationType.FOLLOW_REQUEST
    write_batch(
        puts=[
            relation(
                ids.new_id(),
                kind,
                user_id,
                ended=ended,
                is_indexed=is_indexed,
                at=LONG_AGO + timedelta(seconds=first + number),
            )
            for number in range(count)
        ]
    )
