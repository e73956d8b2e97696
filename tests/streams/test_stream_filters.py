"""Lambda's filter lets through what a handler or the archive wants: `deploy/stream-filters.json` and
`deploy/archive-filter.json`.

`STREAM_FILTERS=write` writes them anew.
"""

import json
import os

import pytest

from feed.likes.writes import like_post, unlike_post
from feed.publishing.writes import delete_post
from relations.follows.writes import follow, unfollow
from socialsite.streams.change import expired_image, type_of
from socialsite.streams.dispatch import _handlers, load_handlers
from socialsite.streams.lambda_handler import archive, handle
from socialsite.streams.worker import Worker
from socialsite.table.reading import scan
from tests.conftest import post
from tests.looks import broken_invariants
from tests.streams.filters import (
    FILE,
    FILE_OF_ARCHIVE,
    passes,
    read_patterns,
    wanted,
    wanted_by_archive,
)
from tests.streams.records import (
    Record,
    archived,
    entry,
    event,
    everything,
    expire,
    lambda_record,
    new_records,
    own_archive,
    unread,
)
from tests.streams.removals import day_before, removal

MOST_PATTERNS, LONGEST_PATTERN = 5, 4_096  # Lambda's limits


FILES = {FILE: wanted, FILE_OF_ARCHIVE: wanted_by_archive}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_files_are_what_the_handlers_and_the_archive_want(file):
    if os.environ.get("STREAM_FILTERS") == "write":
        file.write_text(json.dumps(FILES[file](), indent=2) + "\n")
    assert json.loads(file.read_text()) == FILES[file]()


def test_it_is_within_the_limits_of_lambda():
    patterns = [json.dumps(one) for one in read_patterns()]
    assert len(patterns) <= MOST_PATTERNS
    assert max(map(len, patterns)) <= LONGEST_PATTERN


def is_wanted(record: Record) -> bool:
    load_handlers()
    wants = {(model.__name__, event) for (model, event), those in _handlers.items() if those}
    return (type_of(record), record["eventName"]) in wants


def live(alice, bob) -> None:
    """A little of everything that makes records."""
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice, "Hello #bread")
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    unlike_post(by=bob, post_id=post_id)
    unfollow(by=bob, user_id=alice.user_id)
    delete_post(by=alice, post_id=post_id)


def test_what_a_handler_wants_passes_and_nothing_else(alice, bob):
    worker = Worker()
    worker.drain()
    live(alice, bob)
    records = [lambda_record(one) for one in unread()]
    assert {is_wanted(one) for one in records} == {True, False}
    for record in records:
        assert passes(record) == is_wanted(record), (type_of(record), record["eventName"])


def test_what_ttl_removed_passes_and_what_a_person_deleted_does_not():
    removed = lambda_record(removal(1, at=day_before(1)) | {"eventID": "1"})
    assert expired_image(removed)
    assert passes(removed)
    by_a_person = {name: value for name, value in removed.items() if name != "userIdentity"}
    assert not passes(by_a_person)


def play(*, filtered: bool) -> tuple[int, int]:
    """Gives Lambda the records as long as handling makes new ones. Returns how many it got of how many."""
    given = got = 0
    while records := new_records(given):
        given += len(records)
        reach = [one for one in records if not filtered or passes(lambda_record(one))]
        got += len(reach)
        if reach:
            assert handle(event(reach)) == {"batchItemFailures": []}
    return got, given


@pytest.mark.parametrize("filtered", [False, True])
def test_a_site_behind_the_filter_is_as_right_as_without(alice, bob, filtered):
    live(alice, bob)
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice, "Good morning")
    got, given = play(filtered=filtered)
    assert (got < given) == filtered
    assert post_id in str(everything())
    assert broken_invariants() == {}


@pytest.fixture
def both_kinds(alice, settings, tmp_path) -> list[Record]:
    """Records of what TTL removed, and of what people did, as Lambda's events have them."""
    own_archive(settings, tmp_path)
    expire(entry(alice), entry(alice))
    post(alice)
    records = event(unread())["Records"]
    for record in records:
        if expired_image(record):  # the embedded engine does not say who removed it
            record["userIdentity"] = {"type": "Service", "principalId": "dynamodb.amazonaws.com"}
    return records


def test_records_of_both_kinds_are_handled_and_archived_by_one_function(both_kinds):
    reach = [record for record in both_kinds if passes(record)]
    assert handle({"Records": reach}) == {"batchItemFailures": []}
    assert len(archived()) == 2
    assert [raw for raw in scan() if raw["type"]["S"] == "PublicEntry"]


def test_the_function_of_the_archive_gets_what_ttl_removed_and_does_nothing_else(both_kinds):
    reach = [record for record in both_kinds if passes(record, FILE_OF_ARCHIVE)]
    assert [type_of(record) for record in reach] == ["SavedPost"] * 2
    before = everything()
    assert archive({"Records": reach}) == {"batchItemFailures": []}
    assert archive({"Records": both_kinds}) == {"batchItemFailures": []}  # without its filter
    assert len(archived()) == 2
    assert everything() == before


def test_the_function_of_the_archive_asks_again_for_what_it_could_not_write(both_kinds, tmp_path):
    blocked = tmp_path / "archive"
    blocked.write_text("in the way")
    (first, *_) = (record for record in both_kinds if expired_image(record))
    failed = {"itemIdentifier": first["dynamodb"]["SequenceNumber"]}
    assert archive({"Records": both_kinds}) == {"batchItemFailures": [failed]}
