"""Queue before a counter: what is counted is written at once, and the counter later, for many together."""

from collections.abc import Iterator
from functools import partial

from accounts.viewer import Viewer
from feed.access_patterns import get_like_count
from feed.local_timeline import list_public
from lens.concepts.concept import Arrow, Code, Concept, Example, Way, box
from socialsite.table import keys


def _examples(person: Viewer) -> Iterator[Example]:
    for card in list_public(viewer=person).items:
        if card.like_count:
            count = Way("get_like_count", partial(get_like_count, card.post_id))
            yield Example(keys.like_count(card.post_id).pk, (count,))


QUEUE_BEFORE_A_COUNTER = Concept(
    name="queue-before-a-counter",
    title="Queue before a counter",
    problem=(
        "A counter is one item that everyone writes. Two transactions that meet on it fail, and its partition "
        "takes 1,000 write units a second at most. So people write only what is theirs, a queue keeps the order, "
        "and one reader of the queue adds up."
    ),
    here=(
        "The queue is the table's own stream. A like writes `Like` and `LikeTrace` and leaves the count alone. "
        "The worker adds the likes of a whole batch of records up in its ledger, and commits each sum in one "
        "transaction with the shard's checkpoint, at most four times a second.",
        "The transaction holds the condition that the lease is still held and that the checkpoint is where it "
        "was. So each record counts once, whatever is killed in between. The answer to a press has the new like "
        "in its number already, so nobody waits for the worker.",
    ),
    without=(
        "If each like added 1 to the count in its transaction, it would cost 6 write units instead of 4, and the "
        "likes of one post would conflict with each other: DynamoDB cancels one of two transactions that write "
        "the same item at the same time. The table below has 100 likes of one post both ways, without any "
        "conflict.",
        "Adding without a condition from a queue would count twice after each crash.",
    ),
    drawing=(
        box("Like"),
        Arrow("the stream, a batch at a time"),
        box("LikeCount", LikeCount="one sum a batch"),
        Arrow("in the same transaction"),
        box("Lease", Lease="checkpoint"),
    ),
    code=(
        Code("feed/stream_handlers/count_like.py", "count_like"),
        Code("socialsite/streams/ledger.py", "Ledger"),
        Code("socialsite/streams/ledger.py", "CheckpointProof"),
    ),
    tests=(
        "tests/streams/test_worker.py::test_many_likes_are_one_write_of_the_counter",
        "tests/streams/test_worker.py::test_a_crash_between_effects_and_commit_loses_and_doubles_nothing",
        "tests/feed/test_like_post.py::test_liking_twice_counts_once",
    ),
    scene="Measured with 100 likes of one post by 100 people.",
    examples=_examples,
    documents=("docs/adr/0009-likes-leave-the-post-alone.md", "docs/adr/0001-late-writes.md"),
)
