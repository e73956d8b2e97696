"""A stranger's forms at the composer: no field of it, however odd, is a fault of the site, and nothing is half done."""

import itertools
from functools import partial

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from photos.files import list_places
from photos.reads import list_album
from socialsite.table import ids
from tests.accounts.pictures import camera_jpeg
from tests.faults.over_http import let_the_hour_pass
from tests.feed.composing.shelves import fields, texts_of
from tests.feed.photographs import photo, post_photos
from tests.feed.polls.polling import ask, press, votes_of
from tests.injected.rotation import share
from tests.looks import broken_invariants
from tests.together import together
from tests.web.html import Html

FINE = {200, 302, 400, 404, 409, 413, 422, 429}
NAUGHTY = (
    "\x00",
    "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    "\u202e" + "x" * 50,
    "a\u0300" * 400,
    "👩‍👩‍👧‍👦" * 200,
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "${7*7}{{7*7}}%s%n",
    "../../../etc/passwd",
    "\r\nSet-Cookie: a=b",
    "-1",
    "NaN",
    "1e400",
    "9" * 400,
    "²",
    "٣",
    "\ufeff",
    "\u2028\u2029",
    " ",
    "[]",
    '{"a": 1}',
    "𝟘",
    "İ",
    "#" * 1000,
    "@" * 1000,
    "u#x#post",
)
NAMES = (
    "content",
    "warning",
    "language",
    "audience",
    "replies",
    "nonce",
    "photo",
    "description",
    "poll_options",
    "poll_several",
    "poll_ends",
    "poll_change",
    "poll_early",
    "publish_at",
    "zone",
    "expires_in",
    "draft",
    "version",
    "writer",
    "scheduled",
    "continues",
    "2-content",
    "2-warning",
    "3-content",
    "11-content",
)
ADDRESSES = ("/posts", "/drafts")


@pytest.fixture
def stranger(bob, log_in) -> Client:
    browser = log_in(bob)
    browser.raise_request_exception = False
    return browser


@pytest.mark.parametrize("name", NAMES)
def test_no_field_is_a_fault_of_the_site(stranger, name):
    bad = []
    tries = itertools.product(ADDRESSES, NAUGHTY)
    for address, value in share(tries, one_of=8, salt=f"composer {name}"):
        let_the_hour_pass()
        answer = stranger.post(address, fields("Hello") | {name: [value, value]})
        if answer.status_code not in FINE:
            bad.append((address, value[:20], answer.status_code))
    assert not bad


def test_what_cannot_be_read_in_a_further_post_of_a_draft_is_told_and_kept(stranger, bob):
    for text in ("\x00", "x" * 20_000):
        answer = stranger.post("/drafts", fields("One") | {"2-content": text})
        assert answer.status_code == 422
        assert Html(answer).value("content") == "One"
    assert texts_of(bob) == []


@pytest.mark.parametrize("name", ["photo", "2-photo"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_photo_of_another_person_is_in_no_form_a_way_to_it(alice, bob, stranger, address, name):
    theirs, shown = photo(alice), photo(alice)
    post_photos(alice, shown)
    for photo_id in (theirs, shown):
        given = fields("Mine") | {"2-content": "Two", name: photo_id, "description": "Mine"}
        answer = stranger.post(address, given)
        assert answer.status_code in FINE
        stranger.post(f"/photos/{photo_id}/description", {"description": "Mine"})
        stranger.post(f"/photos/{photo_id}/delete")
        for page in ("/photos", "/drafts", "/@bob/media"):
            assert photo_id not in stranger.get(page).content.decode()
    theirs_now = {one.photo_id: (one.alt, bool(one.post_id)) for one in list_album(alice).items}
    assert theirs_now == {theirs: (None, False), shown: (None, True)}


def test_an_upload_that_is_cut_in_the_middle_leaves_no_file_and_the_next_one_works(bob, stranger):
    whole, photo_id = camera_jpeg(), ids.new_id()
    for length in (0, 1, 100, len(whole) // 2):
        file = SimpleUploadedFile("me.jpg", whole[:length])
        assert stranger.post("/photos", {"photo": file, "photo_id": photo_id}).status_code == 422
    assert list(list_places(bob.user_id)) == []
    file = SimpleUploadedFile("me.jpg", whole)
    assert stranger.post("/photos", {"photo": file, "photo_id": photo_id}).status_code == 302


def test_votes_that_are_cast_at_once_are_one(alice, bob, log_in, drain_stream):
    post_id = ask(alice)
    browsers = [log_in(bob) for _ in range(4)]
    together(*(partial(press, one, post_id, n % 3) for n, one in enumerate(browsers)))
    drain_stream()
    assert len(votes_of(post_id)) == 1
    assert broken_invariants() == {}


@pytest.mark.parametrize("choices", [["9"], ["-1"], ["x"], ["0", "1"], ["²"], [""], ["0"] * 70])
def test_a_vote_that_no_poll_takes_is_refused_with_a_sentence(alice, stranger, choices):
    post_id = ask(alice)
    answer = press(stranger, post_id, *choices)
    assert answer.status_code in {302, 400, 422}
    assert [one.choices for one in votes_of(post_id)] in ([], ["0"])
