"""Building blocks of what is not read at all: a cache in front of the table, and a filter in front of the function."""

from collections.abc import Iterator
from functools import partial

from accounts.people.viewer import Viewer
from feed.home.reads import newest_authors, read_newest_authors
from feed.profiles.reads import list_posts
from feed.timelines.local import SHARDS
from lens.concepts.concept import Arrow, Code, Concept, Example, Way, box
from socialsite import keys
from socialsite.clock import utc_now
from socialsite.site_settings.site_rules import read_site_rules, site_rules


def _examples_of_caches(person: Viewer) -> Iterator[Example]:
    ways = (
        Way("read_newest_authors", read_newest_authors),
        Way("newest_authors, the copy", newest_authors),
        Way("read_site_rules", read_site_rules),
        Way("site_rules, the copy", site_rules),
    )
    for shard in range(SHARDS):
        yield Example(keys.public_day(utc_now().date(), shard), ways)


READ_CACHE = Concept(
    name="read-cache",
    title="Read cache and DAX",
    problem=(
        "A partition takes 3,000 read units a second. What every page wants is read more often than that, and always "
        "says the same. A copy in front of the table answers instead, at the price of being a little old."
    ),
    here=(
        "Each process keeps what is the same for everyone: the rules of the site for ten seconds, the people who "
        "posted last and the lists of Explore for thirty. One thread reads anew, and the others go on with the old "
        "copy. So the reads grow with processes, not with people.",
        "What must act at once is never in a copy: whether someone may see a post, blocks, sessions, what was "
        "deleted. `can_view` runs on each page over what was read for it.",
        "Explore is a copy of a copy: each quarter of an hour the clock ranks a day’s posts into one list for each "
        "language, so a page reads ten posts by key and never the thousand that were compared.",
        "DAX is Amazon’s cache for DynamoDB: a cluster in the own network that answers GetItem, BatchGetItem and "
        "Query from memory, and writes through. It is not used here. Its copies are up to five minutes old unless "
        "one says otherwise, and those of a Query do not follow writes; consistent reads and transactions pass it "
        "by; its client takes the place of botocore’s, which the meter and the lens hang on; and a cluster of three "
        "is paid by the hour, also on a quiet night. A million people need no cache (`docs/scale.md`).",
        "What a hundred million need is the copy of what a star posted last: one second in each process, as "
        "`docs/scale.md` works out. It is not built.",
    ),
    without=(
        "Each page would read the rules and the last authors itself. The table below has 100 pages both ways; the "
        "one partition of the rules would end at 3,000 pages a second.",
        "A cache of pages or posts would be the greater mistake: a post that was deleted, or made for friends alone, "
        "would be shown until the copy ends.",
    ),
    drawing=(
        box("PublicEntry"),
        Arrow("every 30 seconds, once in each process"),
        box("UserCount"),
        Arrow("every 10 seconds, once in each process"),
        box("SiteSettings", "SiteRule"),
    ),
    code=(
        Code("feed/home/reads.py", "newest_authors"),
        Code("socialsite/site_settings/site_rules.py", "site_rules"),
        Code("socialsite/site_settings/site_rules.py", "forget_site_rules"),
    ),
    tests=(
        "tests/feed/test_home.py::test_after_half_a_minute_they_are_read_anew",
        "tests/feed/test_home.py::test_a_block_a_mute_and_a_suspension_act_at_once_all_the_same",
        "tests/moderation/test_site_settings.py::test_a_process_keeps_its_copy_for_a_while",
    ),
    scene="Measured with 100 pages in one process, which follow each other at once.",
    examples=_examples_of_caches,
    documents=(
        "docs/scale.md",
        "docs/adr/0036-no-copy-of-stars.md",
        "docs/adr/0003-site-settings-in-each-process.md",
    ),
)


def _examples_of_filtered(person: Viewer) -> Iterator[Example]:
    assert person.card is not None
    posts = Way("list_posts", partial(list_posts, person.card, viewer=person))
    yield Example(keys.posts(person.user_id), (posts,))
    yield Example(keys.timeline(person.user_id), (posts,))


EVENT_FILTER = Concept(
    name="event-filter",
    title="Filter criteria of the stream",
    problem=(
        "The stream has a record of every write, and most writes are what a worker wrote itself: entries of "
        "timelines, counts, marks. A function that Lambda calls with them looks at each and does nothing more. "
        "Filter criteria of the event source mapping let through what it wants, and the rest calls nobody."
    ),
    here=(
        "`deploy/stream-filters.json` has four patterns: the types that a handler wants when they are new, when they "
        "change and when they go, and what TTL removed, for the archive, by `userIdentity`. A test makes them from "
        "the handlers and gives them real records: what a handler or the archive would take passes, and nothing else.",
        "`run_worker` needs no filter: it reads the stream itself, a thousand records in one call, and `is_handled` "
        "looks at the type before anything else is read of a record.",
        "Only what TTL did counts as removed by the service: a person who deletes something writes a record without "
        "`userIdentity`. So the archive can be a function of its own, with that one pattern "
        "(`deploy/archive-filter.json`).",
    ),
    without=(
        "The function is called with the records of its own work. It writes nothing for them, but under Lambda it "
        "looks for the mark of each, whether it was applied: one read unit a record, as the table below shows. And "
        "the records of people wait behind those of a fan-out.",
        "A pattern that forgets a type loses its records: they are gone from that function’s stream, without an "
        "error. So the file is made from the code and not by hand.",
    ),
    drawing=(
        box("Post", Post="passes"),
        Arrow("the worker writes for each follower"),
        box("TimelineEntry", TimelineEntry="stays out"),
    ),
    code=(
        Code("socialsite/streams/lambda_handler.py", "handle"),
        Code("socialsite/streams/lambda_handler.py", "archive"),
        Code("socialsite/streams/dispatch.py", "is_handled"),
        Code("socialsite/streams/change.py", "expired_image"),
    ),
    tests=(
        "tests/streams/test_stream_filters.py::test_what_a_handler_wants_passes_and_nothing_else",
        "tests/streams/test_stream_filters.py::test_what_ttl_removed_passes_and_what_a_person_deleted_does_not",
        "tests/streams/test_stream_filters.py::"
        "test_the_function_of_the_archive_gets_what_ttl_removed_and_does_nothing_else",
    ),
    scene="Measured with a post to 100 followers under Lambda: the first call, then the records of what it wrote.",
    examples=_examples_of_filtered,
    documents=("docs/deploy.md",),
)
