"""Time to live: an item says itself when it may go."""

from collections.abc import Iterator
from functools import partial

from accounts.viewer import Viewer
from feed.access_patterns import get_timeline
from lens.concepts.concept import Code, Concept, Example, Way, box
from socialsite.table import keys


def _examples(person: Viewer) -> Iterator[Example]:
    timeline = Way("get_timeline", partial(get_timeline, person))
    yield Example(keys.timeline(person.user_id), (timeline,))


TTL = Concept(
    name="ttl",
    title="Time to live",
    problem=(
        "Lists that grow for ever become slow and dear: timelines, sign-ins, links in letters, counters of "
        "limits. An item with a `ttl`, a moment in seconds, is deleted by DynamoDB after it. Amazon charges "
        "nothing for that deletion."
    ),
    here=(
        "A timeline entry gets 30 days, an entry of the local timeline 8, a sign-in as long as the site lets "
        "people stay. The attribute stands on the base `Item` alone.",
        "DynamoDB deletes late: most items within days, some later. So no read trusts the deletion. `is_expired` "
        "drops what is past its `ttl` in every function that reads, and conditions of writes that depend on an "
        "end compare the moment too.",
    ),
    without=(
        "The site would need a job that finds what is old and deletes it: one read of each item, and one write "
        "unit each. The table below has it for the timeline of one person who follows many, 1,000 entries. For "
        "100,000 people with 1,000 old entries a month that is 100 million write units a month.",
        "If reads trusted the deletion, people would see expired posts for days, and could use links from letters "
        "that had ended.",
    ),
    drawing=(
        box("TimelineEntry", TimelineEntry="TTL 30 days"),
        box("PublicEntry", PublicEntry="TTL 8 days"),
        box("SignIn", SignIn="TTL after its last use"),
    ),
    code=(
        Code("socialsite/table/item.py", "Item"),
        Code("socialsite/table/reading.py", "is_expired"),
        Code("feed/pointers.py", "timeline_end"),
    ),
    tests=(
        "tests/table/test_reading.py::test_getting_an_expired_item_is_not_found",
        "tests/table/test_reading.py::test_expired_items_are_dropped_and_do_not_shorten_a_page",
        "tests/feed/test_home.py::test_entries_that_have_run_out_are_not_shown",
    ),
    scene="Measured with 1,000 entries of a timeline that are past their time, below 21 that are not.",
    examples=_examples,
)
