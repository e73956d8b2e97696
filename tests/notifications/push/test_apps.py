"""An app is pushed to as long as its token lives, of what it asked for, in the words that it reads."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from accounts.access.writes import end_access
from accounts.sessions import end_sign_ins_with, hash_secret, unchanged
from feed.likes.writes import like_post
from notifications.push.choices import PushChoices
from notifications.push.writes import choose_push
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.table import keys, query
from tests.api.conftest import App, token_of
from tests.conftest import post
from tests.notifications.push.conftest import devices_of, named_in_bell, waiting_work
from tests.notifications.push.services import Browser

ADDRESS = "/api/v1/push/subscription"
ALL = ("mention", "status", "reblog", "follow", "follow_request", "favourite", "poll")


@dataclass
class Phone:
    """An app with a token and what a push service gave it."""

    caller: App
    given: Browser

    def subscribe(self, *alerts: str, policy: str = "") -> Any:
        keys_given = {"p256dh": self.given.p256dh, "auth": self.given.given()["auth"]}
        sent = {
            "subscription": {"endpoint": self.given.endpoint, "keys": keys_given},
            "data": {"alerts": dict.fromkeys(alerts, True)}
            | ({"policy": policy} if policy else {}),
        }
        return self.ask("post", sent)

    def ask(self, method: str, sent: Any = None) -> Any:
        call = getattr(self.caller.browser, method)
        return call(
            ADDRESS, sent or {}, content_type="application/json", headers=self.caller.headers
        )

    def read(self, service: Any) -> list[dict[str, Any]]:
        return [self.given.read(one.body) for one in service.got]


@pytest.fixture
def phone(alice, pusher, service) -> Phone:
    return Phone(App(token_of(alice)), Browser(f"{service.origin}/ok/alice"))


def test_an_app_is_told_in_the_words_that_it_reads(alice, bob, phone, service, push):
    made = phone.subscribe("follow").json()
    assert (
        made["server_key"]
        == phone.caller.get("/api/v2/instance")["configuration"]["vapid"]["public_key"]
    )
    assert made["alerts"] == {one: one == "follow" for one in ALL} | {}
    follow(by=bob, user_id=alice.user_id)
    push()
    (told,) = phone.read(service)
    (line,) = phone.caller.get("/api/v1/notifications")
    assert told == {
        "access_token": phone.caller.token,
        "preferred_locale": "en",
        "notification_id": line["id"],
        "notification_type": "follow",
        "icon": told["icon"],
        "title": "Bob Brandt followed you",
        "body": "",
    }
    assert told["icon"].startswith("http")
    assert waiting_work() == []


def test_it_hears_of_likes_that_the_browsers_of_its_person_do_not(
    alice, bob, phone, device, service, push
):
    phone.subscribe("favourite")
    like_post(by=bob, post_id=post(alice), author_id=alice.user_id)
    push()
    (got,) = service.got
    assert phone.given.read(got.body)["notification_type"] == "favourite"


def test_what_it_did_not_ask_for_is_not_told(alice, bob, phone, service, push):
    phone.subscribe("mention")
    follow(by=bob, user_id=alice.user_id)
    push()
    assert service.got == []


@pytest.mark.parametrize(
    ("policy", "follows", "is_told"),
    [
        ("all", "", True),
        ("none", "", False),
        ("followed", "", False),
        ("followed", "alice", True),
        ("follower", "", False),
        ("follower", "bob", True),
    ],
)
def test_a_policy_says_by_whom(alice, bob, phone, service, push, policy, follows, is_told):
    if follows == "alice":
        follow(by=alice, user_id=bob.user_id)
    if follows == "bob":
        follow(by=bob, user_id=alice.user_id)
    phone.subscribe("favourite", policy=policy)
    like_post(by=bob, post_id=post(alice), author_id=alice.user_id)
    push()
    assert bool(phone.read(service)) == is_told


def test_what_a_stranger_did_later_does_not_hide_it(
    alice, bob, carol, phone, service, push, drain_stream
):
    follow(by=alice, user_id=bob.user_id)
    phone.subscribe("favourite", "mention", policy="followed")
    liked = post(alice)
    post(bob, "Hello @alice")
    drain_stream()
    like_post(by=carol, post_id=liked, author_id=alice.user_id)
    push()
    (told,) = phone.read(service)
    assert told["notification_type"] == "mention"


def test_a_block_before_the_push_leaves_it_out(alice, bob, phone, service, push):
    phone.subscribe(*ALL)
    like_post(by=bob, post_id=post(alice), author_id=alice.user_id)
    block(by=alice, user_id=bob.user_id)
    push()
    assert service.got == []


def test_names_are_hidden_from_apps_too(alice, bob, phone, service, push):
    choose_push(by=alice, choices=PushChoices(names=False))
    phone.subscribe("follow")
    follow(by=bob, user_id=alice.user_id)
    push()
    (told,) = phone.read(service)
    assert "Bob" not in json.dumps(told)


@pytest.mark.parametrize("end", ["token", "everywhere"])
def test_it_ends_with_its_token(alice, bob, phone, service, push, drain_stream, end):
    phone.subscribe(*ALL)
    follow(by=bob, user_id=alice.user_id)
    if end == "token":
        end_access(
            user_id=alice.user_id,
            secret_hash=hash_secret(phone.caller.token.partition(".")[2]),
        )
    else:
        end_sign_ins_with(unchanged(alice.user_id), user_id=alice.user_id)
    push()
    assert service.got == []
    drain_stream()
    assert devices_of(alice) == named_in_bell(alice) == []


def test_it_is_seen_changed_and_taken_back(alice, phone):
    assert phone.ask("get").status_code == 404
    made = phone.subscribe("follow").json()
    assert phone.ask("get").json() == made
    changed = phone.ask("put", {"data": {"alerts": {"mention": True}}, "policy": "followed"}).json()
    assert changed["alerts"]["mention"]
    assert not changed["alerts"]["follow"]
    assert (changed["policy"], changed["id"]) == ("followed", made["id"])
    assert phone.ask("get").json() == changed
    for _ in range(2):
        assert phone.ask("delete").json() == {}
    assert phone.ask("get").status_code == 404
    assert phone.ask("put", {"policy": "all"}).status_code == 404
    assert devices_of(alice) == named_in_bell(alice) == []


def test_a_second_subscription_of_a_token_takes_the_place_of_the_first(alice, phone, service):
    first = phone.subscribe("follow").json()["id"]
    phone.given = Browser(f"{service.origin}/ok/again")
    second = phone.subscribe("follow").json()["id"]
    assert first != second
    assert devices_of(alice) == named_in_bell(alice) == [second]


def test_two_apps_have_one_each(alice, bob, phone, service, push):
    other = Phone(App(token_of(alice)), Browser(f"{service.origin}/ok/other"))
    phone.subscribe("follow")
    other.subscribe("follow")
    follow(by=bob, user_id=alice.user_id)
    push()
    tokens = set()
    for got in service.got:
        one = phone if got.path.endswith("alice") else other
        tokens.add(one.given.read(got.body)["access_token"])
    assert tokens == {phone.caller.token, other.caller.token}


def test_only_known_push_services_are_asked(alice, phone):
    for endpoint in ("https://relay.example/push", "http://127.0.0.1/", "https://10.0.0.1/x", "x"):
        phone.given.endpoint = endpoint
        answer = phone.subscribe("follow")
        assert answer.status_code == 422
        assert "push service" in answer.json()["error"]
    phone.given = Browser("https://fcm.googleapis.com/fcm/send/x")
    phone.given.auth = b"short"
    assert phone.subscribe("follow").status_code == 422
    assert devices_of(alice) == []


def test_a_token_without_the_scope_is_refused(alice, phone):
    assert Phone(App(token_of(alice, "read")), phone.given).subscribe("follow").status_code == 403


def test_the_token_lies_sealed(alice, phone):
    phone.subscribe("follow")
    (raw,) = query(keys.push_subscriptions(alice.user_id), consistent=True)
    secret = phone.caller.token.partition(".")[2]
    assert secret not in str(raw)
    assert secret.encode() not in raw["sealed"]["B"]


def test_the_settings_name_the_app_and_remove_it(alice, phone, log_in):
    phone.subscribe("follow")
    browser = log_in(alice)
    page = browser.get("/settings/notifications").content.decode()
    assert "Tusk" in page
    (device,) = devices_of(alice)
    browser.post("/settings/notifications/push/remove", {"device": device})
    assert devices_of(alice) == []
    assert phone.ask("get").status_code == 404
