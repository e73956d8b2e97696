"""Sparse index: an index that holds only the items that are asked for."""

from collections.abc import Iterator
from functools import partial

from accounts.viewer import Viewer
from lens.concepts.concept import Code, Concept, Example, Way, box
from relations.models import RelationType
from relations.relation_lists import list_relating
from socialsite.table import keys


def _examples(person: Viewer) -> Iterator[Example]:
    ways = tuple(
        Way(f"list_relating, {kind.name}", partial(list_relating, person.user_id, kind))
        for kind in (RelationType.FOLLOW_REQUEST, RelationType.FRIEND_REQUEST)
    )
    yield Example(keys.relations(person.user_id), ways)


SPARSE_INDEX = Concept(
    name="sparse-index",
    title="Sparse index",
    problem=(
        "Some questions come from the other side: not whom Alice asked, but who asked Bob. An index answers them, "
        "yet costs a write for each item in it. An index holds only items that have both of its keys, so an item "
        "that nobody looks for any more leaves it by losing one attribute."
    ),
    here=(
        "`typeIndex` has the keys `relation_target` (`<type>#u#<other>`) and `update_time`. A relationship "
        "carries both while it is in force. `end_relation` removes `relation_target`: the item stays in its "
        "partition, and is gone from the index. `list_relating` reads follow requests from it, the newest first.",
        "`escalatedIndex` is the queue of the moderators. A case has `escalated_to` and `escalated_at` while it "
        "is open. Closing it removes them, so a queue of 5 costs the same after a million closed cases.",
    ),
    without=(
        "If ended relationships stayed in the index, the page of requests would read all the old ones to find the "
        "few that wait. The table below has 5 waiting requests among 1,000 answered ones, both ways. And every "
        "later change of an answered request would be written into the index too.",
    ),
    drawing=(
        box("Relation", Relation="typeIndex while in force"),
        box("Case", Case="escalatedIndex while open"),
    ),
    code=(
        Code("socialsite/table/item.py", "TypeIndex"),
        Code("relations/relation.py", "end_relation"),
        Code("relations/relation_lists.py", "list_relating"),
        Code("socialsite/table/reading.py", "query_index"),
    ),
    tests=(
        "tests/relations/test_relations.py::test_an_ended_one_is_kept_but_neither_shown_nor_indexed_nor_updated",
        "tests/moderation/test_index_is_exact.py::test_the_index_is_what_the_model_says",
    ),
    scene="Measured with 5 follow requests that wait, older than 1,000 that were answered.",
    examples=_examples,
)
