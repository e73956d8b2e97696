"""Which function uses which items is recorded from the calls, and stands in the code."""

from collections.abc import Iterator

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from lens.browser.item_types import item_types
from lens.patterns import Use, function_of, functions_of, read_uses
from relations.follows.writes import follow, unfollow
from relations.stream_handlers import list_in_directory
from socialsite.table import Item, fetch
from tests.lens.recorder import seen, sentence_about
from tests.lens.used_items import used_items


@pytest.fixture
def noted(alice, bob) -> Iterator[dict[Use, str]]:
    """What is seen from now on. What was seen before comes back afterwards."""
    before = dict(seen)
    seen.clear()
    yield seen
    seen.update(before)


def verbs(noted: dict[Use, str], item: str, function: str) -> set[str]:
    return {use.verb for use in noted if use.item == item and use.function.endswith(f":{function}")}


def test_every_use_of_the_file_is_of_an_item_and_a_function_of_the_code():
    uses = list(read_uses())
    assert {use.item for use in uses} <= set(item_types())
    for name in {use.function for use in uses}:
        found = function_of(name)
        assert found.line > 0
        assert found.file.endswith(".py")


def test_a_service_writes_deletes_and_checks(noted, alice, bob):
    follow(by=alice, user_id=bob.user_id)
    unfollow(by=alice, user_id=bob.user_id)
    assert verbs(noted, "Follower", "follow") == {"write"}
    assert verbs(noted, "Follower", "unfollow") == {"delete"}
    assert verbs(noted, "Relation", "follow") == {"check"}
    assert verbs(noted, "UserCount", "follow") == {"write"}


def test_an_access_pattern_reads_what_came_back(noted, alice):
    get_user_info(alice.user_id)
    assert verbs(noted, "UserInfo", "get_user_info") == {"read"}


def test_a_handler_of_the_stream_is_named_though_it_has_no_access_pattern(noted, drain_stream):
    drain_stream()
    assert verbs(noted, "DirectoryEntry", list_in_directory.__name__) == {"write"}


def test_what_a_test_or_the_browser_itself_asks_is_nobodys(noted, alice, settings):
    fetch([alice.card and Item("x", "y").key])
    assert not noted
    settings.DEBUG = True
    Client().get("/dev/table", {"pk": "site"})
    assert not {use for use in noted if use.function.startswith("lens.")}


def test_what_is_posted_and_reposted_is_told_apart_by_its_type():
    key = {"PK": {"S": "u#X#post"}, "SK": {"S": "p#X"}}
    put = {"TransactItems": [{"Put": {"Item": key | {"type": {"S": "Repost"}}}}]}
    delete = {"TransactItems": [{"Delete": {"Key": key}}]}
    assert list(used_items("TransactWriteItems", delete, {})) == []
    assert list(used_items("TransactWriteItems", put, {})) == [("Repost", "write")]
    assert list(used_items("TransactWriteItems", delete, {})) == [("Repost", "delete")]


def test_what_is_new_is_told_in_a_sentence():
    told = sentence_about(Use("Follower", "relations.follows.writes:follow", "read"))
    assert told.startswith("relations.follows.writes:follow does a read of Follower")
    assert "--record-uses=add" in told


def test_the_functions_of_an_item_stand_with_file_and_line():
    (writer,) = [one for one in functions_of("Follower")["write"] if one.name == "follow"]
    assert writer.file == "relations/follows/writes.py"
    assert "Follows" in writer.does or "follow" in writer.does
