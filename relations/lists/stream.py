"""What follows from a block and from the end of a list. Only the stream worker calls these, and each may run twice: it
deletes by key, and takes people out of sets."""

from relations.lists.writes import listings_of, take_out_of_list
from relations.models import Listing, PersonList, Relation, RelationType
from relations.relation import blocks_either_way
from socialsite.streams import Change, Ledger, on
from socialsite.table import fetch, keys, query, row, write_batch


@on(Relation, "INSERT", "MODIFY")
def part_lists(change: Change, ledger: Ledger) -> None:
    """Takes two people out of each other's lists once one blocks the other. Until then each read leaves them out.

    A BatchGetItem of the block and two Queries of the listings, consistent, 1 read unit each, and for each list
    `take_out_of_list`, 6 write units. Safe to run twice: it goes by the block as it is now, and nobody comes into a
    list while that is there. Once it has ended, they may be in one again.
    """
    relation = change.item
    assert isinstance(relation, Relation)
    if relation.relation_type != RelationType.BLOCK or relation.delete_status:
        return
    key = keys.relation(relation.user_id, RelationType.BLOCK, relation.other_id)
    if not blocks_either_way(fetch([key], consistent=True).get(key)):
        return
    ledger.note_effect()
    for owner_id, user_id in (
        (relation.user_id, relation.other_id),
        (relation.other_id, relation.user_id),
    ):
        leave_lists_of(owner_id, user_id)


def leave_lists_of(owner_id: str, user_id: str) -> None:
    """Takes a person out of all lists of someone."""
    bounds = keys.listing_bounds(owner_id)
    for raw in query(keys.listings(user_id), between=bounds, consistent=True):
        take_out_of_list(owner_id=owner_id, list_id=row(Listing, raw).list_id, user_id=user_id)


@on(PersonList, "REMOVE")
def clear_list(change: Change, ledger: Ledger) -> None:
    """Deletes the `Listing` of each person who was in a list that is gone. BatchWriteItems, 1 write unit each. Safe to
    run twice: it deletes by key, and no list gets the id again."""
    gone = change.item
    assert isinstance(gone, PersonList)
    write_batch(deletes=listings_of(gone.user_id, gone.list_id, gone.members or ()))
    ledger.note_effect()
