"""Pages of a timeline into which pulled authors' posts are merged, and of likers spread over shards."""

from itertools import cycle, islice

import pytest

from accounts.models import PULLED, UserInfo, UserSettings
from accounts.people.viewer import Viewer
from feed.home.reads import get_timeline, list_newer
from feed.likes.models import Like
from feed.likes.reads import SHARDS, list_likers
from feed.publishing.writes import delete_post
from relations.follows.writes import follow
from socialsite.table import PAGE_SIZE, Place, change, keys, write_batch, write_cursor
from tests.conftest import HTMX, person, post
from tests.streams.crowd import crowd, open_home, returning
from tests.web.html import Html

POSTS = 2 * PAGE_SIZE + 5


def pull(reader: Viewer, author: Viewer) -> None:
    """The reader pulls the author, as after a crossing."""
    change(UserInfo, keys.user_info(author.user_id), [UserInfo.reading.set(PULLED)])
    follow(by=reader, user_id=author.user_id)
    learned = UserSettings.pulled.add({author.user_id})
    change(UserSettings, keys.user_settings(reader.user_id), [learned])


@pytest.fixture
def spoken(alice, bob, carol, drain_stream) -> list[str]:
    """Bob pulls Alice and Carol, and Dave's posts are fanned out to him: three pages, newest first. The older half was
    written into his timeline, the newer half is news."""
    dave = person("dave")
    pull(bob, alice)
    pull(bob, carol)
    follow(by=bob, user_id=dave.user_id)
    drain_stream()
    authors = cycle((alice, carol, dave))
    older = [post(author) for author in islice(authors, POSTS // 2)]
    drain_stream()
    open_home(bob)
    drain_stream()
    newer = [post(author) for author in islice(authors, POSTS - len(older))]
    drain_stream()
    return [*older, *newer][::-1]


def forwards(reader: Viewer) -> list[list[str]]:
    """All pages from the newest on."""
    page = get_timeline(reader)
    pages = [[card.post_id for card in page.items]]
    while page.next_cursor:
        page = get_timeline(reader, cursor=page.next_cursor)
        pages.append([card.post_id for card in page.items])
    return pages


def backwards(reader: Viewer, cursor: str | None) -> list[list[str]]:
    """All pages before a place, the last of them first."""
    pages = []
    while cursor:
        page = get_timeline(reader, cursor=cursor)
        pages.append([card.post_id for card in page.items])
        cursor = page.previous_cursor
    return pages


def joined(pages: list[list[str]]) -> list[str]:
    return [post_id for page in pages for post_id in page]


def test_all_sources_are_merged_in_order_over_several_pages(bob, spoken):
    pages = forwards(returning(bob))
    assert [len(page) for page in pages] == [PAGE_SIZE, PAGE_SIZE, 5]
    assert joined(pages) == spoken


def test_the_same_pages_come_back_on_the_way_up(bob, spoken):
    reader = returning(bob)
    second = get_timeline(reader, cursor=get_timeline(reader).next_cursor)
    third = get_timeline(reader, cursor=second.next_cursor)
    pages = backwards(reader, third.previous_cursor)
    assert joined(pages[::-1]) == spoken[: 2 * PAGE_SIZE]


def test_a_cursor_at_any_post_continues_just_behind_or_before_it(bob, spoken):
    reader = returning(bob)
    scope = keys.timeline(bob.user_id)
    cards = [
        card for cursor in cursors(reader) for card in get_timeline(reader, cursor=cursor).items
    ]
    for place in (0, 1, PAGE_SIZE - 1, PAGE_SIZE, PAGE_SIZE + 1, POSTS - 1):
        here = keys.pointer(cards[place].post_id, cards[place].author.user_id)
        after = get_timeline(reader, cursor=write_cursor(scope, Place("next", here)))
        before = get_timeline(reader, cursor=write_cursor(scope, Place("previous", here)))
        assert [card.post_id for card in after.items] == spoken[place + 1 :][:PAGE_SIZE]
        assert [card.post_id for card in before.items] == spoken[:place][-PAGE_SIZE:]


def cursors(reader: Viewer) -> list[str | None]:
    """The cursors of all pages."""
    found: list[str | None] = [None]
    while cursor := get_timeline(reader, cursor=found[-1]).next_cursor:
        found.append(cursor)
    return found


def test_a_deleted_post_of_a_pulled_author_leaves_the_page_shorter_as_any_other(alice, bob, spoken):
    reader = returning(bob)
    before = forwards(reader)
    own = next(card for card in get_timeline(reader).items if card.author.user_id == alice.user_id)
    delete_post(by=alice, post_id=own.post_id)
    after = forwards(reader)
    assert joined(after) == [one for one in joined(before) if one != own.post_id]
    assert len(after[0]) == PAGE_SIZE - 1


def test_the_pill_counts_pulled_authors_posts_with_the_others(
    alice, bob, carol, spoken, log_in, drain_stream
):
    browser = log_in(bob)
    pill = Html(browser.get("/")).one(id="pulse")["hx-get"]
    assert browser.get(pill, headers=HTMX).status_code == 204
    fresh = [post(alice), post(carol), post(bob)]
    drain_stream()
    page = Html(browser.get(pill, headers=HTMX))
    assert page.one("a", id="pill").text == "2 new posts"
    shown = browser.get(page.one("a", id="pill")["hx-get"], headers=HTMX).content.decode()
    places = [shown.find(f"post-{post_id}") for post_id in fresh[1::-1]]
    assert -1 not in places
    assert places == sorted(places)


def test_on_an_empty_timeline_the_first_pulled_post_is_new(alice, bob, drain_stream):
    pull(bob, alice)
    reader = returning(bob)
    top = write_cursor(keys.timeline(bob.user_id), Place("previous", keys.pointer("", "")))
    assert not list_newer(reader, since=top).items
    post_id = post(alice)
    drain_stream()
    assert [card.post_id for card in list_newer(reader, since=top).items] == [post_id]


def test_likers_of_all_shards_are_one_list_both_ways(alice, table):
    fans = crowd(PAGE_SIZE + 7)
    post_id = post(alice)
    like = {"post_id": post_id, "author_id": alice.user_id, "shards": SHARDS}
    write_batch(puts=[Like.new(**like, user_id=fan.user_id) for fan in fans])
    first = list_likers(post_id, shards=SHARDS)
    second = list_likers(post_id, shards=SHARDS, cursor=first.next_cursor)
    back = list_likers(post_id, shards=SHARDS, cursor=second.previous_cursor)
    ids = [fan.user_id for fan in fans]
    assert [card.user_id for card in [*first.items, *second.items]] == ids
    assert second.next_cursor is None
    assert [card.user_id for card in back.items] == ids[:PAGE_SIZE]
    assert back.previous_cursor is None
