"""A record that no handler can apply is parked without what someone wrote, and everything else goes on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import UserSettings
from feed.likes.models import Like
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post
from feed.posts.models import Post
from relations.models import Following
from socialsite.streams import dispatch
from socialsite.streams.models import Job
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import Item, ids, keys
from socialsite.table.connection import client, table_name
from socialsite.table.transport.requests import wire
from tests.conftest import person, post
from tests.injected.rounds import Rounds
from tests.injected.scenarios import SCENARIOS, Cast, Scenario
from tests.looks import broken_invariants, drain

pytestmark = pytest.mark.usefixtures("impatient")

PRIVATE = "my secret recipe"


@pytest.fixture
def worker(table: str) -> Worker:
    return Worker()


def broken_handler(*_: object) -> None:
    raise ValueError(PRIVATE)


@contextmanager
def replaced(model: type[Item], event: str, *handlers: Callable[..., None]) -> Iterator[None]:
    """Other handlers for one kind of change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(dispatch._handlers, (model, event), list(handlers))
        yield


def redrive() -> str:
    said = StringIO()
    call_command("redrive", stdout=said)
    return said.getvalue()


def readiness() -> dict[str, Any]:
    answer: dict[str, Any] = Client().get("/readyz").json()
    return answer


def put_raw(key: keys.Key, **attributes: dict[str, str]) -> None:
    """Writes an item as another program would."""
    client().put_item(TableName=table_name(), Item=wire(key) | attributes)


def test_a_record_whose_handler_fails_is_parked_and_the_shard_goes_on(alice, bob, worker):
    with replaced(Post, "INSERT", broken_handler):
        post_id = post(alice, PRIVATE)
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
        drain(worker)
    assert get_like_count(post_id) == 1
    (letter,) = list_dead_letters()
    assert letter.image["post_id"]["S"] == post_id
    assert readiness()["status"] == "degraded"
    assert readiness()["worker"]["dead_letters"] == 1


def test_a_parked_record_holds_nothing_that_somebody_wrote(alice, worker):
    with replaced(Post, "INSERT", broken_handler):
        post(alice, PRIVATE)
        drain(worker)
    (letter,) = list_dead_letters()
    assert PRIVATE not in str(letter.serialize())
    assert "broken_handler: ValueError" in letter.error


def test_a_redrive_while_the_cause_lasts_keeps_the_letter(alice, worker):
    with replaced(Post, "INSERT", broken_handler):
        post(alice)
        drain(worker)
        assert redrive().startswith("0 applied, 1 still failing.")
    assert len(list_dead_letters()) == 1


def test_a_parked_like_is_counted_once_however_often_it_is_redriven(alice, bob, worker):
    post_id = post(alice)
    with replaced(Like, "INSERT", broken_handler):
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
        drain(worker)
    assert get_like_count(post_id) == 0
    assert redrive().startswith("1 applied, 0 still failing.")
    assert redrive().startswith("0 applied, 0 still failing.")
    drain(worker)
    assert get_like_count(post_id) == 1
    assert readiness()["worker"]["dead_letters"] == 0


def test_what_one_handler_entered_before_another_failed_counts_once(alice, bob, worker):
    post_id = post(alice)
    drain(worker)
    counting = dispatch._handlers[Like, "INSERT"]
    with replaced(Like, "INSERT", *counting, broken_handler):
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
        drain(worker)
    redrive()
    drain(worker)
    assert get_like_count(post_id) == 1


PARKED = [
    ("follow", Following, "INSERT"),
    ("unfollow", Following, "REMOVE"),
    ("publish", Post, "INSERT"),
    ("publish by job", Post, "INSERT"),
    ("publish by job", Job, "INSERT"),
    ("publish by job", Job, "MODIFY"),
    ("delete a liked post", Post, "REMOVE"),
    ("like a deleted post", Like, "INSERT"),
    ("like", Like, "REMOVE"),
    ("cross to pull", Job, "MODIFY"),
    ("come back", UserSettings, "MODIFY"),
]


def scenario_of(name: str) -> Scenario:
    return next(scenario for scenario in SCENARIOS if scenario.name == name)


@pytest.mark.parametrize(("name", "model", "event"), PARKED)
def test_every_kind_of_record_can_be_parked_and_redriven(worker, settings, name, model, event):
    scenario = scenario_of(name)
    for setting, value in scenario.settings.items():
        setattr(settings, setting, value)
    cast = Cast.of(0, scenario.fans)
    scenario.before(cast)
    drain(worker)
    with replaced(model, event, broken_handler):
        scenario.act(cast)
        drain(worker)
    assert list_dead_letters(), "nothing was parked"
    for _ in range(10):  # a job's next step may be parked behind the one at hand
        redrive()
        drain(worker)
    assert not list_dead_letters()
    scenario.after(cast)
    assert broken_invariants() == {}


STRANGE = {
    "of a type that nobody knows": {"type": {"S": "Horoscope"}, "post_id": {"S": "x"}},
    "of no type": {"post_id": {"S": "x"}},
    "whose id is a number": {"type": {"S": "Like"}, "post_id": {"N": "5"}},
    "that lacks its ids": {"type": {"S": "Post"}, "content": {"S": PRIVATE}},
    "whose number is a text": {"type": {"S": "Post"}, "like_shards": {"S": "many"}},
    "with a strange end": {"type": {"S": "Like"}, "ttl": {"S": "soon"}},
}


@pytest.mark.parametrize("shape", STRANGE.values(), ids=list(STRANGE))
def test_a_strange_item_stops_no_shard(alice, bob, worker, shape):
    """Of a newer or older version of the site, or of another program."""
    post_id = post(alice)
    key = keys.Key("u#x#strange", "strange")
    put_raw(key, **shape)
    client().delete_item(TableName=table_name(), Key=wire(key))
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    worker.run(Rounds(6))
    assert get_like_count(post_id) == 1
    assert PRIVATE not in str([letter.serialize() for letter in list_dead_letters()])


def test_an_expired_item_of_no_type_stops_no_shard(alice, bob, worker):
    post_id = post(alice)
    key = keys.Key("u#x#strange", "strange")
    put_raw(key, ttl={"N": "1"})
    client().delete_item(TableName=table_name(), Key=wire(key))
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    worker.run(Rounds(6))
    assert get_like_count(post_id) == 1


def test_a_strange_item_is_parked_or_passed_over_once(alice, worker):
    put_raw(keys.post("nobody", ids.new_id()), type={"S": "Post"}, content={"S": PRIVATE})
    worker.run(Rounds(6))
    (letter,) = list_dead_letters()
    assert letter.event == "INSERT"
    worker.run(Rounds(6))
    assert len(list_dead_letters()) == 1
    assert person("dora")
