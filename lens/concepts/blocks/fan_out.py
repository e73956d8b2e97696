"""Fan-out: a post is pointed at from the timeline of each follower, when it is written."""

from collections.abc import Iterator
from functools import partial

from accounts.viewer import Viewer
from feed.access_patterns import get_timeline
from feed.favourites import get_favourites
from lens.concepts.concept import Arrow, Code, Concept, Example, Way, box
from socialsite.table import keys


def _examples(person: Viewer) -> Iterator[Example]:
    pushed = Way("get_timeline", partial(get_timeline, person))
    pulled = Way("get_favourites", partial(get_favourites, person))
    yield Example(keys.timeline(person.user_id), (pushed, pulled))


FAN_OUT = Concept(
    name="fan-out",
    title="Fan-out",
    problem=(
        "Home shows the newest posts of everyone whom a person follows. DynamoDB joins nothing, so to collect "
        "them takes a Query for each person followed. Home is read far more often than posts are written, so the "
        "work is done once, when a post is written: a pointer for each follower."
    ),
    here=(
        "The worker hears of the new post in the stream and puts a `TimelineEntry` into the partition of each "
        "follower who was here in the last 30 days, as the day in their edge says: at most 25 a call, 1 write unit "
        "each, up to 500 at once and more by a job. The author waits for none of it. Home is then one Query of 21 "
        "pointers and one BatchGetItem of what they point to.",
        "An entry is a pointer, not a copy: an edit, a deletion or another audience acts at once, as `can_view` "
        "runs on every read.",
        "Above 5,000 followers a post would cost too many writes. Such authors are not fanned out: a short list of "
        "their newest posts is kept instead, and home reads the lists of up to 100 authors in one call "
        "(`feed/pulled/news.py`). Favourites are always read from the authors' posts, at most 30.",
    ),
    without=(
        "Without fan-out the page grows with the people followed: the table below has 100 of them. At 1,000 it "
        "takes 1,000 Queries for 20 posts. Fan-out for everyone would be as wrong: a post of someone with "
        "5,000,000 followers would be 5,000,000 write units.",
    ),
    drawing=(
        box("Post"),
        Arrow("the worker, for each of"),
        box("Follower"),
        Arrow("one pointer into"),
        box("TimelineEntry", TimelineEntry="TTL 30 days"),
    ),
    code=(
        Code("feed/stream_handlers/fan_out_post.py", "fan_out_post"),
        Code("feed/access_patterns.py", "get_timeline"),
        Code("feed/stream_handlers/cross_to_pull.py", "begin_crossing"),
        Code("feed/pulled/news.py", "get_news"),
        Code("feed/stream_handlers/merge_pulled.py", "merge_step"),
        Code("feed/favourites.py", "get_favourites"),
    ),
    tests=(
        "tests/feed/test_budgets.py::test_home_costs_the_same_whatever_number_of_people_one_follows",
        "tests/streams/test_worker.py::test_a_post_reaches_followers_and_leaves_with_them",
        "tests/feed/test_pulled_authors.py::"
        "test_a_pulled_authors_post_is_in_no_followers_partition_and_in_every_timeline",
    ),
    scene=(
        "Measured with a person who follows 100 people with 3 posts each, Queries alone, and a post to 100 "
        "followers."
    ),
    examples=_examples,
    documents=(
        "docs/adr/0010-pulled-authors.md",
        "docs/adr/0021-reposts-are-pointers-among-posts.md",
    ),
)
