"""What moderators restrict ends at its moment, and people who are not there are offered to nobody."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils.translation import override

from accounts.models import UserInfo
from accounts.people.restrictions import (
    FOR_EVER,
    UNTIL,
    Frozen,
    Restriction,
    Suspended,
    Unconfirmed,
    end_of,
    is_restricted,
    may_be_offered,
    must_be_there,
)
from socialsite.clock import utc_now_iso
from socialsite.table import NotFound, change, fetch, keys, transact


def in_hours(hours):
    return (datetime.now(UTC) + timedelta(hours=hours)).isoformat()


def test_a_restriction_holds_until_its_moment(monkeypatch):
    for until, holds in ((in_hours(1), True), (FOR_EVER, True), (in_hours(-1), False), ("", False)):
        assert is_restricted(until) is holds
        assert end_of(until) == (until if holds else "")
    assert is_restricted(None) is False
    moment = utc_now_iso()
    monkeypatch.setattr("accounts.people.restrictions.utc_now_iso", lambda: moment)
    assert end_of(moment) == ""


def test_for_ever_is_later_than_any_moment_and_is_a_moment():
    assert datetime(9999, 12, 31, tzinfo=UTC).isoformat() == FOR_EVER


def test_each_restriction_has_an_end_of_its_own_by_the_name_that_is_stored():
    stored = {str(one): until.attr_name for one, until in UNTIL.items()}
    assert stored == {
        "no_messages": "no_messages_until",
        "limited": "limited_until",
        "frozen": "frozen_until",
        "suspended": "suspended_until",
    }
    assert UNTIL.keys() == set(Restriction)


def test_what_is_refused_says_so_on_its_page():
    for error, status, template, told in (
        (Frozen(), 403, "frozen.html", ""),
        (Frozen("Until Monday"), 403, "frozen.html", "Until Monday"),
        (Unconfirmed(), 403, "unconfirmed.html", "Confirm your email address first. The link is in your inbox."),
    ):  # fmt: skip
        assert (error.status, error.template, error.told) == (status, template, told)
    assert str(Frozen("Until Monday")) == "Until Monday"
    assert str(Unconfirmed()) == "no confirmed address"
    assert (Suspended.status, Suspended.template) == (410, "410.html")
    with override("de"):
        assert Unconfirmed().told != "Confirm your email address first. The link is in your inbox."


HIDING = [
    {"waiting": "yes"},
    {"paused": "yes"},
    {"closing": "2026-01-01T00:00:00+00:00"},
    {"suspended_until": FOR_EVER},
]
OVER = {"suspended_until": in_hours(-1)}


def with_state(viewer, state):
    key = keys.user_info(viewer.user_id)
    actions = [getattr(UserInfo, name).set(value) for name, value in state.items()]
    if actions:
        change(UserInfo, key, actions)
    return fetch([key])[key]


@pytest.mark.parametrize("state", [*HIDING, {"limited_until": FOR_EVER}])
def test_people_who_are_limited_or_not_there_are_offered_to_nobody(alice, state):
    assert may_be_offered(with_state(alice, {}))
    assert not may_be_offered(with_state(alice, state))


def test_what_does_not_hide_people_lets_them_be_offered(alice):
    frozen = {"frozen_until": FOR_EVER, "no_messages_until": FOR_EVER}
    over = {"limited_until": in_hours(-1), **OVER}
    assert may_be_offered(with_state(alice, {**frozen, **over}))


@pytest.mark.parametrize("state", HIDING)
def test_nothing_is_written_about_people_who_are_not_there(alice, state):
    with_state(alice, state)
    with pytest.raises(NotFound):
        transact(must_be_there(alice.user_id))


@pytest.mark.parametrize("state", [{}, OVER, {"limited_until": FOR_EVER}])
def test_it_is_about_people_who_are_there(alice, state):
    with_state(alice, state)
    transact(must_be_there(alice.user_id))


def test_a_suspension_is_over_at_its_moment(alice, monkeypatch):
    moment = utc_now_iso()
    with_state(alice, {"suspended_until": moment})
    monkeypatch.setattr("accounts.people.restrictions.utc_now_iso", lambda: moment)
    transact(must_be_there(alice.user_id))


def test_nothing_is_written_about_people_who_never_were(table):
    with pytest.raises(NotFound):
        transact(must_be_there("nobody"))
