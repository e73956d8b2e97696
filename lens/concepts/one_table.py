"""Building blocks of one table: what stands first in a partition, which index, and one table or several."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from feed.home.reads import get_timeline
from feed.profiles.reads import list_posts
from lens.concepts.concept import Arrow, Code, Concept, Example, Way, box
from relations.models import RelationType
from relations.reads import list_relating, list_relations
from socialsite import keys
from socialsite.table import RawItem, query


def first_of(partition: str) -> list[RawItem]:
    """Returns the first item of a partition. One Query with `Limit` 1, 0.5 read units for up to 4 KB."""
    return list(islice(query(partition, limit=1), 1))


def _examples_of_metadata(person: Viewer) -> Iterator[Example]:
    assert person.card is not None
    for card in list_posts(person.card, viewer=person).items:
        thread = keys.thread(card.post_id)
        first = Way("a Query with Limit 1", partial(first_of, thread))
        gate = Way("the gate by its key", partial(_gate, card.post_id))
        yield Example(thread, (first, gate))


def _gate(root_id: str) -> list[RawItem]:
    key = keys.thread_gate(root_id)
    return list(query(key.pk, between=(key.sk, key.sk)))


METADATA_FIRST = Concept(
    name="metadata-first",
    title="Metadata first",
    problem=(
        "A partition holds many items and one that speaks of them all: who may read them, how many there are, which "
        "version is the latest. Sort keys are in the order of their bytes, so a key that begins with `#`, such as "
        "`#Metadata#…`, stands before letters and digits. A Query with `Limit` 1 then reads that item and nothing "
        "else, however many follow."
    ),
    here=(
        "The replies of a thread lie at `p#<root>#reply`, by ids that begin with a digit or a letter. Their metadata "
        "is the gate, at `!`, and the story of the author at `-`: both sort before every reply. The gate says for "
        "whom the answers stay when the first post is gone.",
        "A page knows the gate's key whole, so it reads it by that key, in the BatchGetItem of the page, without a "
        "call of its own. `Limit` 1 is for metadata whose key has a part that nobody knows, such as a version or a "
        "date. Both cost the same half unit.",
        "Lists begin behind the gate (`branch_bounds`), so no page of replies pays for it or counts it.",
    ),
    without=(
        "Were the gate somewhere among the replies, at a key that does not say so, it could be found by its type "
        "alone: a filter over the whole partition, which reads every reply. The table below has 1,000 of them.",
        "`Limit` 1 returns the first item whatever it is. If the metadata may be missing, the reader has to look "
        "what came: here the type of an item says it.",
    ),
    drawing=(box("ThreadGate", "Reply", ThreadGate="metadata, first"),),
    code=(
        Code("socialsite/keys/posts.py", "GATE"),
        Code("socialsite/keys/posts.py", "thread_gate"),
        Code("socialsite/keys/posts.py", "branch_bounds"),
        Code("feed/posts/models.py", "ThreadGate"),
    ),
    tests=(
        "tests/feed/test_threads.py::"
        "test_answers_stay_for_the_same_people_when_their_root_is_deleted",
        "tests/feed/test_expiry.py::"
        "test_the_gate_outlives_the_last_reply_of_a_post_that_is_still_there",
    ),
    scene="Measured with a gate and 1,000 replies in one thread.",
    examples=_examples_of_metadata,
)


def _examples_of_indexes(person: Viewer) -> Iterator[Example]:
    own = partial(list_relations, person, RelationType.FRIEND)
    others = partial(list_relating, person.user_id, RelationType.FRIEND)
    ways = (
        Way("list_relations, of the table", own),
        Way("list_relating, of a global index", others),
    )
    yield Example(keys.relations(person.user_id), ways)


LOCAL_AND_GLOBAL = Concept(
    name="local-and-global-indexes",
    title="Local and global indexes",
    problem=(
        "An index keeps the items of a table in another order. A local one keeps the partition key and has another "
        "sort key; a global one has other keys altogether. They differ in what they can answer, in what they may "
        "cost, and in whether they can be added later."
    ),
    here=(
        "Both indexes are global: `typeIndex` answers who asked Bob, `escalatedIndex` what waits in a queue. Both "
        "questions begin at another partition than that of the item, so no local index could answer them. There is "
        "no local index here: what a page wants in its own partition is in the order of the sort key.",
        "A local index is read consistently if one asks for it, as it is written with the item. A global one follows "
        "a moment later, so nothing that has to be right is decided by it: whether two people are friends is one "
        "GetItem of the table, and pages look again at what `list_relating` names.",
        "A table takes 5 local indexes, which must be there when it is created and stay as long as it does, and 20 "
        "global ones, which come and go at any time. With a local index the items of one partition key may have 10 "
        "GB together, as they lie in one partition. A global index has throughput of its own; if it is throttled, so "
        "are writes of the table.",
    ),
    without=(
        "With a local index by time, who asked Bob would be asked in the partition of everyone, one Query each: the "
        "table below has 100 people. With a global index for the own list, the answer would be a moment old, at the "
        "same price.",
        "Either kind costs one write unit more for each item in it, 1 KB at a time; the table below has that too.",
    ),
    drawing=(
        box("Relation", Relation="typeIndex: by the other person"),
        box("Case", Case="escalatedIndex: by the queue"),
    ),
    code=(
        Code("socialsite/table/item.py", "TypeIndex"),
        Code("socialsite/table/item.py", "EscalatedIndex"),
        Code("relations/reads.py", "list_relating"),
        Code("socialsite/table/reading.py", "query_index"),
    ),
    tests=(
        "tests/moderation/test_played_orders.py::test_the_index_is_what_the_model_says",
        "tests/relations/test_relations.py::test_an_ended_one_is_kept_but_neither_shown_nor_indexed_nor_updated",
    ),
    scene=(
        "Measured with 100 people who have asked Bob, in this table and in one with the same keys and a local index "
        "by time."
    ),
    examples=_examples_of_indexes,
)


def _examples_of_tables(person: Viewer) -> Iterator[Example]:
    ways = (
        Way("get_user_info", partial(get_user_info, person.user_id)),
        Way("get_timeline", partial(get_timeline, person)),
    )
    yield Example(keys.user(person.user_id), ways)


ONE_TABLE = Concept(
    name="one-table-or-several",
    title="One table or several",
    problem=(
        "There are no joins in DynamoDB. Either each entity has a table, as in a relational database, or all lie in "
        "one, with keys that put next to each other what is read together. The second is often praised for speed, "
        "and it is worth measuring where that comes from."
    ),
    here=(
        "Everything is in one table. A person’s `info`, `count`, `settings` and `bell` lie in one partition, so "
        "`get_user_info` is one Query, and half a unit for up to 4 KB of them together. From a table for each it is "
        "a BatchGetItem of as many keys, each rounded up for itself.",
        "Home is the same both ways: a Query of pointers and a BatchGetItem, which may name several tables, and so "
        "may a transaction. Home was made fast by its pointers, not by the one table.",
        "What the one table gives beyond that: one stream, in which the changes of one partition are in order, so "
        "one worker with one checkpoint; one set of alarms, backups and limits; and room for new entities without "
        "new tables.",
    ),
    without=(
        "Several tables are right where entities differ in what belongs to a table: another storage class, stream, "
        "encryption key, region or time of recovery; data that one team owns and others may not read; or something "
        "that is exported and analysed alone. Here the archive is such a thing, and it has left the table.",
        "One table costs understanding: its keys say nothing without a chart, and tools that show a table as rows "
        "and columns show little. So the chart is one file, and `/dev/table` reads it.",
    ),
    drawing=(
        box("UserInfo", "UserCount", "UserSettings", "Bell"),
        Arrow("home: pointers, then what they point to"),
        box("TimelineEntry"),
        box("Post"),
        box("LikeCount"),
    ),
    code=(
        Code("accounts/people/reads.py", "get_user_info"),
        Code("feed/home/reads.py", "get_timeline"),
        Code("socialsite/table/item.py", "Item"),
    ),
    tests=(
        "tests/feed/test_budgets.py::test_home_is_three_calls_for_twenty_posts_of_twenty_authors",
        "tests/feed/test_budgets.py::test_a_profile_is_one_batch_before_its_posts",
    ),
    scene=(
        "Measured with a home page of 20 posts by 20 authors, and with the same items in a table for each type, read "
        "with the same keys."
    ),
    examples=_examples_of_tables,
    documents=("docs/access-patterns.md",),
)
