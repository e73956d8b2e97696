"""A global table: one region writes, the others only read what reaches them later. Two engines stand for two regions,
and a copier between them for the replication, as late as the test wants."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import boto3
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.sign_up.writes import sign_up
from feed.posts.models import Post
from feed.publishing.writes import publish_post
from socialsite.due import lambda_handler as clock_function
from socialsite.streams import lambda_handler as stream_function
from socialsite.table import Erase, Item, change, create, fetch, ids, keys, transact, write_batch
from socialsite.table.connection import client, disconnect, table_name
from socialsite.table.data_state import WrongData
from socialsite.table.errors import ReadOnly
from socialsite.table.schema import create_table
from tests import engines
from tests.conftest import PASSWORD, browser_of, post
from tests.streams.records import unread
from tests.tables import forget_other_tables

pytestmark = pytest.mark.engines("embedded", reason="it starts a second engine itself")
HERE, ELSEWHERE = "eu-central-1", "us-west-2"
Record = dict[str, Any]


class Replica:
    """The table of the other region."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.client = boto3.client(
            "dynamodb", endpoint_url=endpoint, region_name=ELSEWHERE, **engines_credentials()
        )

    def copy(self, records: list[Record]) -> None:
        """Brings what the stream of the writing region says, as global tables do: the last write wins."""
        for record in records:
            change = record["dynamodb"]
            if "NewImage" in change:
                self.client.put_item(TableName=table_name(), Item=change["NewImage"])
            else:
                self.client.delete_item(TableName=table_name(), Key=change["Keys"])

    def items(self) -> list[Record]:
        found: list[Record] = self.client.scan(TableName=table_name())["Items"]
        return found


def engines_credentials() -> dict[str, str]:
    return {"aws_access_key_id": "local", "aws_secret_access_key": "local"}


@pytest.fixture
def replica(table, settings) -> Iterator[Replica]:
    """Another engine with an empty table of the same name; the site itself stays in the writing region."""
    settings.DYNAMODB_REGION = settings.WRITING_REGION = HERE
    with engines.embedded_engine() as endpoint:
        other = Replica(endpoint)
        with the_site_in(other, settings, WRITING_REGION=""):
            create_table()
        for item in other.items():
            other.client.delete_item(
                TableName=table_name(), Key={name: item[name] for name in ("PK", "SK")}
            )
        yield other


@contextmanager
def the_site_in(replica: Replica, settings: Any, **others: Any) -> Iterator[None]:
    """The site as it runs in the other region."""
    before = settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_REGION, settings.WRITING_REGION
    settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_REGION = replica.endpoint, ELSEWHERE
    for name, value in others.items():
        setattr(settings, name, value)
    disconnect()
    try:
        yield
    finally:
        settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_REGION, settings.WRITING_REGION = before
        disconnect()
        forget_other_tables()


def test_the_other_region_shows_what_has_reached_it(replica, alice, settings):
    first = post(alice, "What came over")
    records = unread()
    second = post(alice, "What is under way")
    replica.copy(records)
    with the_site_in(replica, settings):
        page = Client().get("/@alice").content.decode()
        assert "What came over" in page
        assert "What is under way" not in page
        assert Client().get(f"/@alice/posts/{first}").status_code == 200
        assert Client().get(f"/@alice/posts/{second}").status_code == 404
    replica.copy(unread())
    with the_site_in(replica, settings):
        assert Client().get(f"/@alice/posts/{second}").status_code == 200


def test_nothing_is_written_there_and_the_page_says_so(replica, alice, settings):
    browser = browser_of(alice)
    replica.copy(unread())
    before = len(replica.items())
    with the_site_in(replica, settings):
        assert browser.get("/").status_code == 200  # which would note that she was here today
        answer = browser.post("/posts", {"content": "Hello", "nonce": "n" * 22})
        assert (answer.status_code, answer["Retry-After"]) == (503, "300")
        text = answer.content.decode()
        assert "right now nothing can be saved" in text
        assert "What you sent was not saved." in text
        for write in writes(alice):
            with pytest.raises(ReadOnly):
                write()
    assert len(replica.items()) == before


def writes(alice) -> list[Callable[[], object]]:
    """One of each way to write."""
    fresh = Post.new(post_id=ids.new_id(), author_id=alice.user_id, content="x")
    return [
        lambda: create(fresh),
        lambda: change(Post, fresh.key, [Post.content.set("y")]),
        lambda: transact(Erase(fresh.key)),
        lambda: write_batch(puts=[fresh]),
        lambda: publish_post(by=alice, content="x", nonce=ids.new_id()),
    ]


def test_neither_worker_nor_clock_work_there(replica, settings):
    """Each replica has a stream of its own, and two workers would count everything twice."""
    replica.copy(unread())
    with the_site_in(replica, settings):
        with pytest.raises(CommandError, match=f"{HERE} writes, {ELSEWHERE} only reads"):
            call_command("run_worker")
        for function in (stream_function, clock_function):
            with pytest.raises(ReadOnly):
                function.handle({"Records": []})


def test_a_table_that_nothing_has_reached_is_named(replica, settings):
    with the_site_in(replica, settings), pytest.raises(WrongData, match="still empty here"):
        client()


def test_without_the_setting_one_handle_would_be_two_peoples(replica, alice, settings):
    """Why a region must not write: a condition holds in one region alone, and the later copy wins without a word."""
    replica.copy(unread())
    wanted = {"handle": "wanted", "name": "One", "password": PASSWORD, "confirmed": True}
    here = sign_up(email="one@example.org", **wanted)
    records = unread()
    with the_site_in(replica, settings, WRITING_REGION=""):
        there = sign_up(email="two@example.org", **wanted)
        replica.copy(records)
        claim = fetch([keys.handle_claim("wanted")])[keys.handle_claim("wanted")]
        people = fetch([keys.user_info(here), keys.user_info(there)])
    assert (claim["user_id"]["S"], len(people)) == (here, 2)  # two people with one handle


def test_where_no_region_is_named_everything_is_written(table, alice, settings):
    settings.WRITING_REGION = ""
    assert post(alice)
    settings.WRITING_REGION = settings.DYNAMODB_REGION
    assert post(alice)
    assert Item.Meta.table_name == table
