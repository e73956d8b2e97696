"""The letter about messages and answers that nobody read for a day, and how letters end by their link."""

from datetime import timedelta
from email import message_from_string, policy

import pytest
from django.test import Client

from accounts.encryption.site_keys import retire_key
from accounts.mail.choices import DAILY, Regular
from accounts.mail.signed import unsubscribe_token
from accounts.models import UserInfo
from notifications.writes import read_notifications
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import change, keys, write_batch
from tests.accounts.test_mail import server
from tests.notifications.letters import choice_of, let_come, letters, like, news, planned, wish
from tests.notifications.told import waiting
from tests.web.html import Html

__all__ = ["news", "server"]

HOURS_25 = timedelta(hours=25)


@pytest.fixture
def a_day_later(monkeypatch) -> None:
    monkeypatch.setattr("notifications.digest.stream.utc_now", lambda: utc_now() + HOURS_25)


@pytest.fixture
def asked(alice, news) -> None:
    wish(alice, digest="", unread=True)


def test_what_was_unread_for_a_day_is_told_once(alice, asked, a_day_later):
    [letter] = letters(alice, Regular.UNREAD)
    assert letter.subject == "Bob Brandt is waiting for you"
    assert "Bob Brandt replied" in letter.body
    assert "1 unread conversation, from Bob Brandt" in letter.body
    assert "Secret words" not in letter.body
    assert letters(alice, Regular.UNREAD) == []


def test_nothing_is_told_before_a_day_is_over_and_the_look_comes_in_time(alice, asked):
    assert letters(alice, Regular.UNREAD) == []
    [due] = planned(alice, Regular.UNREAD)
    assert timedelta(hours=23) < due_in(due) <= timedelta(days=1)


def due_in(due) -> timedelta:
    from datetime import datetime

    return datetime.fromisoformat(due.moment) - utc_now()


def test_what_was_read_meanwhile_is_not_told(alice, bob, asked, a_day_later):
    read_notifications(by=alice, up_to=waiting(alice).changes)
    [letter] = letters(alice, Regular.UNREAD)
    assert "replied" not in letter.body


def test_likes_wait_for_nobody(alice, bob, news, drain_stream, a_day_later):
    wish(alice, digest="", unread=True)
    like(bob, news["mine"], alice)
    drain_stream()
    [letter] = letters(alice, Regular.UNREAD)
    assert "liked" not in letter.body


HOSTILE = "Eve\r\nBcc: all@example.org <b>\u202e"


def test_a_hostile_name_stays_a_name(alice, bob, asked, server, a_day_later):
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.name.set(HOSTILE)])
    let_come(alice, Regular.UNREAD)
    do_due()
    [raw] = server.letters
    letter = message_from_string(raw, policy=policy.default)
    assert "Eve Bcc: all@example.org <b>" in letter["Subject"]
    assert letter["Bcc"] is None
    assert "<b>" not in letter.get_body(["html"]).get_content()


# The link that ends them.

KINDS = list(Regular)


def all_of(person) -> None:
    wish(person, digest=DAILY, unread=True, staff=True)


@pytest.mark.parametrize("kind", KINDS)
def test_one_press_ends_letters_of_its_kind_without_a_sign_in(alice, kind):
    all_of(alice)
    link = f"/u/{unsubscribe_token(kind, alice.user_id)}"
    # As mail programs press it (RFC 8058), from anywhere.
    strict = Client(enforce_csrf_checks=True)
    answer_ = strict.post(link, {"List-Unsubscribe": "One-Click"})
    assert answer_.status_code == 200
    assert "That was the last one" in answer_.content.decode()
    left = [one for one in KINDS if choice_of(alice).wants(one)]
    assert left == [one for one in KINDS if one != kind]
    assert strict.post(link).status_code == 200  # again


def test_looking_ends_nothing(alice):
    all_of(alice)
    link = f"/u/{unsubscribe_token(Regular.DIGEST, alice.user_id)}"
    browser = Client()
    page = Html(browser.get(link))
    assert browser.head(link).status_code == 200
    assert [form["action"] for form in page.all("form")] == [link]
    assert len(page.all("button")) == 1
    assert choice_of(alice).wants(Regular.DIGEST)


def test_letters_that_ended_do_not_come(alice, news):
    Client().post(f"/u/{unsubscribe_token(Regular.DIGEST, alice.user_id)}")
    assert letters(alice) == []
    assert planned(alice) == []


def test_a_link_of_someone_who_left_is_answered_the_same(alice):
    link = f"/u/{unsubscribe_token(Regular.DIGEST, alice.user_id)}"
    write_batch(deletes=[keys.user_settings(alice.user_id), keys.user_info(alice.user_id)])
    assert Client().get(link).status_code == 200
    assert Client().post(link).status_code == 200


def test_a_link_that_was_altered_leads_nowhere(alice, bob):
    all_of(alice)
    token = unsubscribe_token(Regular.DIGEST, alice.user_id)
    of_bob = token.replace(alice.user_id, bob.user_id)
    for wrong in (
        token[:-1] + "A",
        "u" + token[1:],
        of_bob,
        token.lower(),
        token[:-2],
        "x",
        "d" * 43,
    ):
        if wrong != token:
            assert Client().post(f"/u/{wrong}").status_code == 404
            assert Client().get(f"/u/{wrong}").status_code == 404
    assert choice_of(alice) == choice_of(alice)
    assert choice_of(alice).wants(Regular.DIGEST)


def test_a_link_works_after_the_key_was_replaced(alice, settings):
    all_of(alice)
    link = f"/u/{unsubscribe_token(Regular.DIGEST, alice.user_id)}"
    old, settings.DATA_KEY = settings.DATA_KEY, "a new key that is long enough for anyone"
    settings.DATA_KEY_FALLBACKS = [old]
    assert Client().get(link).status_code == 200
    settings.DATA_KEY_FALLBACKS = []
    assert Client().get(link).status_code == 404
    from socialsite.data_keys import DataKey

    retire_key(DataKey(old))
    assert Client().post(link).status_code == 200
    assert not choice_of(alice).wants(Regular.DIGEST)


def test_a_link_is_not_pressed_without_end(alice):
    link = f"/u/{unsubscribe_token(Regular.DIGEST, alice.user_id)}"
    assert [Client().post(link).status_code for _ in range(21)][-1] == 429
