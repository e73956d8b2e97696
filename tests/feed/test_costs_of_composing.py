"""What photos, polls, drafts and scheduled posts cost: calls and units of their pages and writes."""

import pytest
from django.test import Client

from feed.composing.composition import Composition, Seen
from feed.composing.draft_writes import save_draft
from feed.polls.models import PollWish
from feed.publishing.writes import publish_post
from socialsite.table import ids
from tests.conftest import HTMX, post
from tests.feed.composing.shelves import autosave, fields, in_hours, schedule
from tests.feed.composing.test_publish_due import come
from tests.feed.photographs import photo, post_photos
from tests.feed.polls.polling import DRINKS, ask, press
from tests.feed.quoting import quoted_by

pytestmark = pytest.mark.engines("embedded", reason="the others report other capacity")

GET, WRITE = "BatchGetItem", "TransactWriteItems"
ALT = "What it shows." * 6  # 84 characters


@pytest.fixture
def member(alice, log_in) -> Client:
    browser = log_in(alice)
    browser.get("/about")  # which reads the site's rules
    return browser


@pytest.fixture
def four(alice):
    """`four()`: photos of Alice that no post shows."""
    return lambda: [photo(alice, ALT) for _ in range(4)]


@pytest.fixture
def shelf(alice) -> None:
    for _ in range(20):
        draft = Composition(content="x" * 100)
        save_draft(by=alice, composition=draft, seen=Seen(ids.new_id(), 0))
        schedule(alice, hours=5, content="x" * 100)


@pytest.mark.parametrize("path", ["/drafts", "/scheduled"])
@pytest.mark.usefixtures("shelf")
def test_a_page_of_the_shelf_is_two_calls_for_twenty_posts(member, requests_of, path):
    with requests_of() as requests:
        member.get(path)
    assert requests.operations == [GET, "Query"]
    assert requests.units == [2, 2]
    assert requests.made[1].is_consistent, "what was just saved is there"


def test_the_album_is_two_calls_and_a_persons_media_four(alice, member, four, requests_of):
    for _ in range(20):
        post_photos(alice, *four())
    with requests_of() as requests:
        member.get("/photos")
        member.get("/@alice/media")
    assert requests.operations == [GET, "Query", GET, GET, "Query", GET]
    assert requests.units[:2] == [2, 1.5]
    assert requests.units[2:5] == [2.5, 1, 0.5]
    assert requests.units[5] <= 31, "20 posts with 4 photos each, half a unit a key"


def test_the_page_of_a_photo_is_three_calls(alice, member, four, requests_of):
    post_id = post_photos(alice, *four())
    with requests_of() as requests:
        member.get(f"/@alice/posts/{post_id}/photos/2")
    assert requests.operations == [GET] * 3
    assert requests.units == [2.5, 2, 2]


def test_a_vote_is_three_reads_and_one_transaction_of_two_items(alice, bob, log_in, requests_of):
    post_id, browser = ask(alice), log_in(bob)
    browser.get("/about")
    with requests_of() as requests:
        press(browser, post_id, 1, headers=HTMX)
    assert requests.operations == [GET, GET, "GetItem", WRITE]
    assert requests.units == [2.5, 2.5, 1, 4]


def test_four_photos_for_some_are_one_read_and_ten_units_more(alice, four, requests_of):
    with requests_of() as requests:
        publish_post(by=alice, content="Hi", nonce="1", audience="friends")
        publish_post(by=alice, content="Hi", nonce="2", audience="friends", photos=four())
    named = [(one.operation, one.units) for one in requests.made if one.operation in (GET, WRITE)]
    assert named == [(WRITE, 10), (GET, 4), (WRITE, 20)]


def test_four_photos_for_everyone_take_a_transaction_each_before(alice, four, requests_of):
    photos = four()
    with requests_of() as requests:
        publish_post(by=alice, content="Hi", nonce="1", photos=photos)
    assert requests.operations == [GET, *[WRITE] * 4, WRITE]
    assert requests.units == [4, *[4] * 4, 22]


def test_four_photos_and_a_poll_cost_a_quote_what_they_cost_a_post(alice, bob, four, requests_of):
    post_id, photos = post(bob), four()
    with requests_of() as requests:
        quoted_by(alice, bob, post_id)
        quoted_by(alice, bob, post_id, photos=photos, poll=PollWish(DRINKS))
    assert requests.operations == [WRITE, GET, *[WRITE] * 4, WRITE]
    assert requests.units == [18, 4, *[4] * 4, 32]


def test_the_page_that_publishes_them_reads_them_once_more(alice, member, four, requests_of):
    photos = four()
    form = fields("Hi", photo=photos, description=[ALT] * 4, audience="friends")
    with requests_of() as requests:
        assert member.post("/posts", form).status_code == 302
    assert requests.operations == [GET, GET, WRITE, GET, WRITE]  # in the middle, the limit
    assert requests.units[1:] == [4, 2, 4, 20]


def test_a_letter_that_saves_a_draft_is_three_calls(member, requests_of):
    form = fields("Half")
    autosave(member, form)
    with requests_of() as requests:
        autosave(member, form | {"content": "Half a", "version": "1"})
    assert requests.operations == [GET, GET, WRITE]
    assert requests.units == [2, 2, 4]


def test_scheduling_is_one_transaction_beside_its_limit(alice, member, requests_of):
    schedule(alice)  # which makes her key
    later = in_hours(5).strftime("%Y-%m-%dT%H:%M")
    with requests_of() as requests:
        member.post("/posts", fields("Later", publish_at=later, zone="Europe/Berlin"))
    assert requests.operations == [GET, WRITE, "Query", WRITE]
    assert requests.units[2:] == [1, 8]


def test_the_clock_takes_the_same_for_a_post_however_many_wait(alice, requests_of):
    for _ in range(20):
        schedule(alice, hours=50)
    schedule(alice)
    with requests_of() as requests:
        come()
    looks = 5  # in four shards, and once more in the one of the post
    assert requests.operations.count("Query") == looks
    assert requests.operations.count(WRITE) == 2, "to claim it, and to publish it"
    assert len(requests.made) <= looks + 6
