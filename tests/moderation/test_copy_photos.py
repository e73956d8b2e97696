"""The photos of a reported post stay for moderators: copied once, whatever becomes of the post, and gone with the
case."""

from datetime import timedelta

import pytest

from feed.posts.content_checks import judge_post
from feed.posts.models import Audience
from feed.publishing.changes import describe_photos
from feed.publishing.writes import delete_post
from moderation.cases import photos
from moderation.cases.erasure import let_case_end
from moderation.cases.photos import CannotCopy, copy_photo, name_of
from moderation.models import CasePhoto
from photos.files import EVIDENCE, delete_files, keep_copy, list_copies, list_places, open_copy
from photos.models import Photo
from socialsite.clock import utc_now
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.streams.status import list_dead_letters
from socialsite.table import Unavailable, as_model, change, fetch, keys, write_batch
from tests.feed.photographs import photo, post_photos
from tests.kept import keep_site_rules
from tests.looks import broken_invariants
from tests.moderation.cases import about, report
from tests.moderation.reported_photos import (
    case_photos,
    copies,
    expire,
    reported_photos,
    source_of,
    states,
)
from tests.streams.records import everything, handle_all, unread


def test_a_report_keeps_each_photo_with_its_description(alice, bob, drain_stream):
    long = "A long way. " * 150
    reported_photos(alice, bob, long, "")
    assert states() == ["coming"] * 2
    drain_stream()
    kept = sorted(case_photos(), key=lambda one: one.number)
    assert [one.state for one in kept] == ["kept"] * 2
    assert [one.alt for one in kept] == [long, None]
    assert [(one.width, one.height) for one in kept] == [(960, 720)] * 2
    for one in kept:
        with open_copy(bob.user_id, name_of(one)) as file:
            content = file.read()
        assert content == b"RIFF 960.webp"
        assert one.bytes == len(content)
        assert one.secret not in (one.source, "")
    assert broken_invariants() == {}


def test_a_second_report_makes_no_second_copy(alice, carol, bob, drain_stream):
    post_id = reported_photos(alice, bob)
    drain_stream()
    before = case_photos()[0].serialize()
    report(carol, bob, post_id)
    drain_stream()
    assert [one.serialize() for one in case_photos()] == [before]
    assert copies(bob) == 1


def test_other_words_about_a_photo_are_kept_beside_those_of_before(alice, carol, bob, drain_stream):
    post_id = reported_photos(alice, bob, "Awful")
    (one,) = case_photos()
    describe_photos(by=bob, post_id=post_id, descriptions={one.photo_id: "Lovely"})
    report(carol, bob, post_id)
    drain_stream()
    assert sorted(str(one.alt) for one in case_photos()) == ["Awful", "Lovely"]
    assert broken_invariants() == {}


@pytest.mark.parametrize("audience", [Audience.EVERYONE, Audience.FRIENDS])
def test_what_the_author_deletes_stays_with_the_case(alice, bob, drain_stream, audience):
    reported_photos(alice, bob, audience=audience)
    drain_stream()
    delete_post(by=bob, post_id=case_photos()[0].post_id)
    drain_stream()
    assert list(list_places(bob.user_id)) == []
    assert (states(), copies(bob)) == (["kept"], 1)
    assert broken_invariants() == {}


def test_a_post_that_is_deleted_before_the_worker_hears_of_the_report_is_still_copied(
    alice, bob, drain_stream
):
    post_id = reported_photos(alice, bob)
    delete_post(by=bob, post_id=post_id)
    drain_stream()
    assert (states(), copies(bob)) == (["kept"], 1)


def test_a_photo_whose_files_went_first_is_noted_as_gone(alice, bob, drain_stream):
    reported_photos(alice, bob)
    (one,) = case_photos()
    write_batch(deletes=[keys.photo(bob.user_id, one.photo_id)])
    delete_files(source_of(one))
    drain_stream()
    assert (states(), copies(bob)) == (["gone"], 0)
    assert list_dead_letters() == []


def test_a_file_that_cannot_be_read_is_not_taken_for_a_deleted_one(alice, bob, drain_stream):
    reported_photos(alice, bob)
    (one,) = case_photos()
    delete_files(source_of(one))
    with pytest.raises(CannotCopy):
        copy_photo(one.key)
    drain_stream()
    assert states() == ["coming"]
    assert len(list_dead_letters()) == 1


def test_the_worker_may_hear_of_it_twice(alice, bob):
    reported_photos(alice, bob)
    records = unread()
    handle_all(records)
    done, files = everything(), list_copies(bob.user_id)
    handle_all(records)
    assert (everything(), list_copies(bob.user_id)) == (done, files)
    expire(bob)
    removals = unread()
    handle_all(removals)
    handle_all(records)
    handle_all(removals)
    assert copies(bob) == 0


def test_a_try_that_was_killed_after_the_file_finds_it_even_if_the_photo_is_gone(
    alice, bob, drain_stream
):
    reported_photos(alice, bob)
    (one,) = case_photos()
    keep_copy(source_of(one), bob.user_id, name_of(one))  # and then it was killed
    write_batch(deletes=[keys.photo(bob.user_id, one.photo_id)])
    delete_files(source_of(one))
    drain_stream()
    assert (states(), copies(bob)) == (["kept"], 1)


def test_a_copy_for_a_case_that_ends_meanwhile_goes_at_once(alice, bob, monkeypatch):
    reported_photos(alice, bob)
    (one,) = case_photos()

    def keep_and_lose(*args: object) -> int:
        size = keep_copy(*args)
        expire(bob)
        return size

    monkeypatch.setattr(photos, "keep_copy", keep_and_lose)
    copy_photo(one.key)
    assert copies(bob) == 0


def test_copies_go_with_the_case_of_an_erased_person(alice, bob, drain_stream):
    reported_photos(alice, bob, "One", "Two")
    drain_stream()
    let_case_end(about(bob), until=utc_now() + timedelta(days=180))
    drain_stream()
    assert all(one.ttl for one in case_photos())
    assert copies(bob) == 2
    expire(bob)
    drain_stream()
    assert list_copies(bob.user_id) == []


def test_while_the_storage_is_away_the_record_waits(alice, bob, monkeypatch):
    reported_photos(alice, bob)

    def away(*args: object) -> int:
        raise Unavailable("no storage")

    monkeypatch.setattr(photos, "keep_copy", away)
    with pytest.raises(Unavailable):
        handle_all(unread())
    assert states() == ["coming"]


def test_a_post_without_photos_costs_nothing_more(alice, bob):
    photo(bob)
    report(alice, bob, post_photos(bob, photo(bob)))
    report(alice, bob)
    assert len(case_photos()) == 1
    assert EVIDENCE not in {place.folder for place in list_places(bob.user_id)}


def test_a_photo_without_its_item_is_kept_as_the_post_shows_it(alice, bob, drain_stream):
    post_id = post_photos(bob, one := photo(bob, "The way home"))
    change(Photo, keys.photo(bob.user_id, one), [Photo.alt.remove()])
    report(alice, bob, post_id)
    drain_stream()
    assert [kept.alt for kept in case_photos()] == ["The way home"]
    key = case_photos()[0].key
    assert as_model(CasePhoto, fetch([key])[key]).state == "kept"


def test_photos_of_a_post_that_met_a_word_filter_are_copied_too(bob, drain_stream):
    keep_site_rules(SiteRules(words=(Word("w1", "word", "cheap", Effect.FLAG, "spam", ""),)))
    verdict = judge_post(by=bob, content="So cheap", audience="")
    post_photos(bob, content="So cheap", verdict=verdict)
    drain_stream()
    drain_stream()
    keep_site_rules(SiteRules())
    assert states() == ["kept"]
    assert broken_invariants() == {}


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_report_of_photos_costs_one_read_and_their_items_more(alice, bob, requests_of):
    post_id = post_photos(bob, photo(bob), photo(bob))
    with requests_of() as requests:
        report(alice, bob, post_id)
    assert requests.operations[:3] == ["BatchGetItem", "BatchGetItem", "TransactWriteItems"]
    assert requests.units[:3] == [4, 2, 15]
    (one, _) = case_photos()
    with requests_of() as requests:
        copy_photo(one.key)
    assert requests.operations == ["GetItem", "UpdateItem"]
    assert requests.units == [1, 1]
