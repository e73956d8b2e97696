"""Archive through Streams: what TTL removes is kept elsewhere, for less."""

from collections.abc import Iterator
from functools import partial

from accounts.viewer import Viewer
from feed.shelf.saved_posts import list_saved_posts
from lens.concepts.concept import Arrow, Code, Concept, Example, Way, box
from socialsite.table import keys


def _examples(person: Viewer) -> Iterator[Example]:
    saved = Way("list_saved_posts", partial(list_saved_posts, person))
    yield Example(keys.shelf(person.user_id), (saved,))


ARCHIVE = Concept(
    name="archive",
    title="Archive through Streams",
    problem=(
        "What is old is rarely read, but some of it must not be lost. A table is a dear place for it. The stream "
        "of the table carries the whole old item of each removal by TTL, so it can be written into files without "
        "reading the table."
    ),
    here=(
        "The worker gives each batch of stream records to `archive_records`. Those whose `userIdentity` is the "
        "TTL service become one gzip file of JSON lines for each day, shard and batch; Athena can read them as "
        "partitions. What people deleted themselves is left out, and so is what names people without being "
        "theirs: timelines, limits, letters (`NOT_ARCHIVED`). Of what people keep, saved posts that ended with "
        "their post are archived; posts that disappear by themselves only where the site sets "
        "`ARCHIVE_EXPIRED_POSTS`.",
        "The files are written before the checkpoint moves. A worker that dies between the two writes the same "
        "file again: its name is the first and last sequence number.",
    ),
    without=(
        "A job would have to read items before they expire, copy them and delete them itself: it pays for a read "
        "and a write each, and loses what DynamoDB deletes first. The table below has both for 100 items.",
        "If the checkpoint moved first, each crash would lose a batch.",
    ),
    drawing=(
        box("SavedPost", SavedPost="TTL of the post"),
        Arrow("TTL removes it; the stream has the old item"),
        box("Lease", Lease="checkpoint, after the file"),
    ),
    code=(
        Code("socialsite/streams/archive.py", "archive_records"),
        Code("socialsite/streams/archive.py", "NOT_ARCHIVED"),
        Code("socialsite/streams/change.py", "expired_image"),
    ),
    tests=(
        "tests/streams/test_archive.py::test_expired_items_are_archived_in_the_order_of_their_removal",
        "tests/streams/test_archive.py::test_a_worker_that_dies_before_its_commit_archives_nothing_twice",
        "tests/streams/test_archive.py::test_what_somebody_deleted_is_not_archived",
    ),
    scene="Measured with 100 saved posts that are past their time.",
    examples=_examples,
    documents=("docs/archive.md",),
)
