"""Soft delete: a relationship ends, and its item stays."""

from collections.abc import Iterator
from functools import partial

from accounts.viewer import Viewer
from lens.concepts.concept import Code, Concept, Example, Way, box
from relations.models import RelationType
from relations.relation_lists import list_relating, list_relations
from socialsite.table import keys


def _examples(person: Viewer) -> Iterator[Example]:
    own = partial(list_relations, person, RelationType.FRIEND)
    others = partial(list_relating, person.user_id, RelationType.FRIEND)
    ways = (Way("list_relations, FRIEND", own), Way("list_relating, FRIEND", others))
    yield Example(keys.relations(person.user_id), ways)


SOFT_DELETE = Concept(
    name="soft-delete",
    title="Soft delete with typeIndex",
    problem=(
        "A relationship that ended still says something: that it was there, since when, and what changed last. "
        "Repeated and late writes are compared with it. But no list may show it."
    ),
    here=(
        "`end_relation` sets `delete_status`, and removes `relation_target`, the partition key of `typeIndex`. "
        "The item stays at the same key. So lists from the other side, which read `typeIndex`, never meet it; "
        "lists of the own side leave it out by a filter. Beginning again is a write to the same key (`relate`), "
        "on the condition that no relationship is in force. It begins anew: `created_at` is that of the new beginning, "
        "and circles and note are those given with it. An end forgets them, because nobody could see or delete them "
        "any more, and because circles say who sees posts: nobody comes back into one unasked.",
        "Blocks show why it stays: a block lies in both partitions, and `blocked_by` of the other side has to "
        "outlive the end of the own side.",
        "Posts are deleted for good: people who delete what they wrote expect it to be gone.",
    ),
    without=(
        "Deleted items would make a list shorter to read: the table below has the price of 500 ended friendships, "
        "read and left out, before 20 that are in force. Friends are at most 1,000, so it stays bounded. What is "
        "gained is that an end which is repeated, or comes late, finds a state to compare with: without the "
        "item, a repeated beginning after the end would look like a new one.",
    ),
    drawing=(box("Relation", Relation="typeIndex until it ends"),),
    code=(
        Code("relations/relation.py", "end_relation"),
        Code("relations/relation.py", "relate"),
        Code("relations/relation.py", "is_in_force"),
        Code("relations/filters.py", "Filters"),
    ),
    tests=(
        "tests/relations/test_relations.py::test_an_ended_one_is_kept_but_neither_shown_nor_indexed_nor_updated",
        "tests/relations/test_relations.py::test_an_end_forgets_tags_and_note_which_nobody_could_delete",
        "tests/relations/test_relations.py::test_creating_an_ended_one_again_brings_it_back_with_new_attributes",
        "tests/relations/test_filtered_by_dynamodb.py::test_an_ended_friendship_is_read_and_not_sent",
    ),
    scene="Measured with 20 friends and 500 friendships that ended, Queries alone.",
    examples=_examples,
)
