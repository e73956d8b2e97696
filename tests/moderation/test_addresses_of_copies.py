"""The address of a copy works for one moderator, for a while, and no other address leads to it."""

import time

import pytest
from django.test import Client

from moderation.cases.photos import name_of
from photos import reads
from tests.moderation.cases import about
from tests.moderation.reported_photos import case_photos, files_in, look, opened, reported_photos


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


def test_an_address_works_for_the_moderator_who_asked_and_for_nobody_else(
    moderator, alice, bob, viewers, drain_stream
):
    reported_photos(alice, bob)
    address = opened(moderator, bob, drain_stream)
    assert moderator.get(address).status_code == 200
    answers = {kind: browser.get(address).status_code for kind, browser in viewers.items()}
    assert answers == dict.fromkeys(viewers, 404)


def test_no_address_of_photos_leads_to_a_copy(moderator, mod, alice, bob, viewers, drain_stream):
    reported_photos(alice, bob)
    drain_stream()
    (one,) = case_photos()
    signed = reads.signed_for(mod.user_id, one.secret)
    named = [
        f"/m/{one.secret}/960.webp",
        f"/pm/{one.secret}/960.webp?{signed}",
        f"/m/{bob.user_id}/{name_of(one)}.webp",
        f"/pm/{bob.user_id}/{name_of(one)}.webp?{signed}",
        f"{about(bob).url}/photo/file?n={name_of(one)}&{signed}",
        f"{about(bob).url}/photo/file?n={name_of(one)}",
    ]
    for browser in (moderator, *viewers.values()):
        assert [browser.get(address).status_code for address in named] == [404] * len(named)


@pytest.mark.parametrize("hours", [2, -1])
def test_an_address_works_for_two_hours(moderator, alice, bob, drain_stream, monkeypatch, hours):
    reported_photos(alice, bob)
    address = opened(moderator, bob, drain_stream)
    later = time.time() + hours * reads.HOUR
    monkeypatch.setattr(reads.time, "time", lambda: later)
    assert moderator.get(address).status_code == 404


def test_an_address_is_for_one_copy(moderator, alice, bob, drain_stream):
    reported_photos(alice, bob, "One", "Two")
    drain_stream()
    first, second = case_photos()
    (address,) = files_in(look(moderator, about(bob), first.photo_id))
    other = address.replace(name_of(first), name_of(second))
    assert other != address
    assert moderator.get(other).status_code == 404


def test_a_moderator_without_their_role_any_more_cannot_use_it(
    moderator, admin, mod, alice, bob, log_in, drain_stream
):
    reported_photos(alice, bob)
    address = opened(moderator, bob, drain_stream)
    log_in(admin).post("/moderation/roles/take", {"person": mod.user_id})
    assert moderator.get(address).status_code == 404
