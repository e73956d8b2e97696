"""Write sharding: one logical list over several partitions."""

from collections.abc import Iterator
from functools import partial

from accounts.viewer import Viewer
from feed.local_timeline import SHARDS, list_public
from lens.concepts.concept import Code, Concept, Example, Way, box
from socialsite.clock import utc_now
from socialsite.table import keys


def _examples(person: Viewer) -> Iterator[Example]:
    public = Way("list_public", partial(list_public, viewer=person))
    for shard in range(SHARDS):
        yield Example(keys.public_day(utc_now().date(), shard), (public,))


WRITE_SHARDING = Concept(
    name="write-sharding",
    title="Write sharding",
    problem=(
        "A partition takes 1,000 write units a second, whatever the table as a whole can take. A list into which "
        "the whole site writes needs several partitions: a suffix of the partition key spreads it. A random "
        "suffix spreads evenly; a suffix calculated from the item lets a reader who knows the item find it again."
    ),
    here=(
        "All suffixes here are calculated. The likes of a hot post lie in 16 or 64 shards by a hash of the liker, "
        "votes in 16 by the voter, entries of the local timeline in 4 a day by the post, due work in 4 by its "
        "subject. So a write that is repeated meets its earlier self, and one person has one like.",
        "A random suffix fits what is only ever added and never looked for, such as measurements. Nothing here is "
        "like that: a like is taken back, an entry goes with its post. Its price would be to look into every "
        "shard.",
        "Reading all of a list takes one Query a shard, merged (`query_merged`). So posts begin without shards, "
        "and get them when likes come fast: readers of ordinary posts pay nothing.",
    ),
    without=(
        "A like takes 2 write units in the post's partition, as it is part of a transaction: 1,000 / 2 = 500 "
        "likes a second, and Amazon throttles the rest. With 16 shards it is 16 × 500 = 8,000, with 64 shards "
        "32,000.",
        "With a random suffix, to know whether Alice likes a post means to ask 17 keys instead of one; the table "
        "below has both. And two presses at once would leave two likes.",
    ),
    drawing=(box("Like"), box("Vote"), box("PublicEntry"), box("Due")),
    code=(
        Code("feed/like_shards.py", "like_places"),
        Code("feed/stream_handlers/spread_likes.py", "spread_likes"),
        Code("feed/local_timeline.py", "shard_of"),
        Code("socialsite/table/keys/posts.py", "vote"),
        Code("socialsite/table/paging.py", "query_merged"),
    ),
    tests=(
        "tests/feed/test_spread_likes.py::test_a_like_lies_in_the_partition_calculated_from_who_likes",
        "tests/feed/test_hot_posts.py::test_nobody_likes_it_twice_around_it",
        "tests/feed/test_local_timeline.py::test_posts_of_one_day_are_merged_from_all_shards_in_order",
    ),
    scene=(
        "Measured with a post whose likes are spread over 16 shards. Rates on two cores: `python -m "
        "benchmarks.hot_post`."
    ),
    examples=_examples,
    documents=("docs/adr/0002-hot-posts.md",),
)
