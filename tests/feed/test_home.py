"""The home timeline page by page, that of favourites, the pill of new posts, and places in addresses."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from accounts.models import UserInfo
from feed.home import reads
from feed.home.reads import ENOUGH, get_favourites, newest_authors, read_newest_authors
from feed.likes.models import Like
from feed.posts.models import Audience
from feed.publishing.writes import delete_post, publish_post
from relations.blocks.writes import block, mute
from relations.follows.writes import follow
from relations.models import RelationType
from relations.relation import create_relation, delete_relation
from socialsite.process_state import reset_process_state
from socialsite.table import Unavailable, change, ids, keys, write_batch
from socialsite.table.ids import new_id
from tests.conftest import HTMX, person, post
from tests.feed.timelines import authors, fill_home, fill_local, point_at, posting
from tests.web.html import Html


def test_home_shows_own_and_followed_posts_newest_first(alice, bob, carol, log_in, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    first = post(bob)
    own = post(alice)
    post(carol)
    last = post(bob)
    drain_stream()
    assert Html(log_in(alice).get("/")).post_ids() == [last, own, first]


def test_home_goes_older_and_newer_over_pages_that_meet(alice, log_in):
    posts = fill_home(alice, authors(9), each=5)
    browser = log_in(alice)
    first = Html(browser.get("/"))
    second = Html(browser.get(first.link("next")))
    third = Html(browser.get(second.link("next")))
    assert first.post_ids() + second.post_ids() + third.post_ids() == posts
    assert first.link("prev") is None
    assert third.link("next") is None
    assert Html(browser.get(third.link("prev"))).post_ids() == second.post_ids()
    assert Html(browser.get(second.link("prev"))).post_ids() == first.post_ids()


def test_a_link_to_an_older_page_shows_the_same_after_new_posts_came(alice, log_in):
    people = authors(5)
    fill_home(alice, people, each=6)
    browser = log_in(alice)
    address = Html(browser.get("/")).link("next")
    before = Html(browser.get(address)).post_ids()
    fill_home(alice, people, each=2)
    assert Html(browser.get(address)).post_ids() == before


def test_the_page_below_comes_as_a_fragment_over_htmx(alice, log_in):
    posts = fill_home(alice, authors(5), each=5)
    browser = log_in(alice)
    first = Html(browser.get("/"))
    (box,) = first.all("div", class_="more")
    assert box["hx-get"] == first.link("next")
    fragment = Html(browser.get(box["hx-get"], headers=HTMX))
    assert fragment.post_ids() == posts[20:]
    assert not fragment.all("html")
    assert not fragment.all("form", id="composer")


def test_only_the_newest_page_has_the_composer_and_the_pill(alice, log_in):
    fill_home(alice, authors(5), each=5)
    browser = log_in(alice)
    first = Html(browser.get("/"))
    second = Html(browser.get(first.link("next")))
    assert [len(page.all(id="composer")) for page in (first, second)] == [1, 0]
    assert [len(page.all(id="pill-slot")) for page in (first, second)] == [1, 0]


def test_entries_that_have_run_out_are_not_shown(alice, bob, log_in):
    kept, gone = post(bob), post(bob)
    point_at(alice, kept, bob.user_id)
    point_at(alice, gone, bob.user_id, lasts=timedelta(seconds=-1))
    assert Html(log_in(alice).get("/")).post_ids() == [kept]


def test_entries_that_have_run_out_do_not_shorten_a_page(alice, bob, log_in):
    posts = fill_home(alice, authors(25))
    for _ in range(30):
        point_at(alice, post(bob), bob.user_id, lasts=timedelta(seconds=-1))
    assert Html(log_in(alice).get("/")).post_ids() == posts[:20]


def test_a_home_without_anything_says_what_to_do(alice, log_in):
    page = Html(log_in(alice).get("/"))
    assert page.post_ids() == []
    assert page.all("a", href="/explore", class_="button")


def test_a_page_whose_posts_were_all_deleted_does_not_say_that_nobody_is_here(alice, log_in):
    older = [post(alice) for _ in range(3)]
    newer = [post(alice) for _ in range(20)]
    for post_id in newer:
        delete_post(by=alice, post_id=post_id)
    browser = log_in(alice)
    response = browser.get("/")
    assert "quiet here so far" not in response.content.decode()
    assert Html(browser.get(Html(response).link("next"))).post_ids() == older[::-1]


def test_a_link_behind_the_last_post_leads_back_up(alice, log_in, drain_stream):
    """What stood on the older page was deleted meanwhile."""
    posts = [post(alice) for _ in range(21)]
    browser = log_in(alice)
    address = Html(browser.get("/")).link("next")
    delete_post(by=alice, post_id=posts[0])
    drain_stream()
    page = Html(browser.get(address))
    assert page.post_ids() == []
    assert page.link("prev")
    assert "quiet here so far" not in browser.get(address).content.decode()


def test_a_visitor_gets_the_landing_page_with_everybodys_newest_post(alice, bob, drain_stream):
    posts = [post(author) for author in (alice, bob) * 6]
    drain_stream()
    page = Html(Client().get("/"))
    assert page.post_ids() == posts[:-3:-1]
    assert page.all("a", href="/signup")
    assert page.all("a", href="/local")
    assert not page.all("form", id="composer")
    assert page.handles() == ["bob", "alice"]  # in the right column, each once


def test_two_people_in_one_process_see_each_their_own(alice, bob, log_in):
    mine, theirs = post(alice), post(bob)
    browsers = log_in(alice), log_in(bob)
    for _ in range(2):
        pages = [Html(browser.get("/")) for browser in browsers]
        assert [page.post_ids() for page in pages] == [[mine], [theirs]]
        assert pages[0].all("a", href="/@alice")
        assert not pages[0].all("a", href="/@bob")


# The favourites' timeline has what the people with a star said, newest first, and costs little.


def star(by, other):
    create_relation(by=by, relation_type=RelationType.FAVOURITE, user_id=other.user_id)


def shown(viewer):
    return [card.post_id for card in get_favourites(viewer).items]


def test_it_merges_the_posts_of_all_favourites_in_order(alice, bob, carol):
    star(alice, bob)
    star(alice, carol)
    said = [post(bob), post(carol), post(bob)]
    assert shown(alice) == said[::-1]


def test_who_has_no_star_any_more_or_is_blocked_is_not_in_it(alice, bob, carol):
    star(alice, bob)
    star(alice, carol)
    post(bob)
    post(carol)
    delete_relation(by=alice, relation_type=RelationType.FAVOURITE, user_id=bob.user_id)
    block(by=carol, user_id=alice.user_id)
    assert shown(alice) == []


def test_what_is_for_friends_stays_with_friends(alice, bob):
    star(alice, bob)
    publish_post(by=bob, content="x", nonce=ids.new_id(), audience=Audience.FRIENDS)
    assert shown(alice) == []


def test_pages_go_on_and_repeat_nothing(alice, bob, carol):
    star(alice, bob)
    star(alice, carol)
    said = [post(author) for _ in range(12) for author in (bob, carol)]
    first = get_favourites(alice)
    second = get_favourites(alice, cursor=first.next_cursor)
    assert [card.post_id for page in (first, second) for card in page.items] == said[::-1]


def test_it_is_one_query_a_favourite_and_one_batch(alice, monkeypatch, measure):
    monkeypatch.setattr(reads, "MOST_FAVOURITES", 3)
    for number in range(5):
        friend = person(f"star{number}")
        star(alice, friend)
        post(friend)
    with measure() as meter:
        get_favourites(alice)
    operations = [call.operation for call in meter.calls]
    assert operations == ["Query"] * 4 + ["BatchGetItem"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_its_page_and_fragment(alice, bob, log_in, headers):
    star(alice, bob)
    post(bob, "From a star")
    answer = log_in(alice).get("/favourites", headers=headers)
    assert "From a star" in answer.content.decode()
    assert ("<html" in answer.content.decode()) == (not headers)


def test_it_is_for_members(client, table):
    assert client.get("/favourites").status_code == 302


# The pill: how many posts of others came since the page was made, and those posts when asked for.


@pytest.fixture
def member(alice, log_in) -> Client:
    return log_in(alice)


def pill_address(page: Html) -> str:
    """What the page asks next, with what it says of its pill and badges."""
    return page.one(id="pulse")["hx-get"]


def since(address: str) -> str:
    return parse_qs(urlsplit(address).query)["since"][0]


def ask(member: Client, address: str):
    return member.get(address, headers=HTMX)


def arrive(alice, author, number: int = 1) -> list[str]:
    """Posts of someone else reach Alice's timeline; newest first."""
    posts = [post(author) for _ in range(number)]
    for post_id in posts:
        point_at(alice, post_id, author.user_id)
    return posts[::-1]


def test_nothing_new_is_an_empty_answer(alice, bob, member):
    arrive(alice, bob)
    response = ask(member, pill_address(Html(member.get("/"))))
    assert (response.status_code, response.content) == (204, b"")


def test_new_posts_of_others_are_counted(alice, bob, member):
    arrive(alice, bob)
    address = pill_address(Html(member.get("/")))
    arrive(alice, bob, 3)
    page = Html(ask(member, address))
    assert page.one("a", id="pill").text == "3 new posts"
    assert ask(member, pill_address(page)).status_code == 204
    arrive(alice, bob)
    assert Html(ask(member, pill_address(page))).one("a", id="pill").text == "4 new posts"


def test_on_an_empty_home_the_first_post_is_new(alice, bob, member):
    address = pill_address(Html(member.get("/")))
    assert ask(member, address).status_code == 204
    arrive(alice, bob)
    assert Html(ask(member, address)).one("a", id="pill").text == "1 new post"


def test_own_posts_are_not_new(alice, bob, member):
    arrive(alice, bob)
    address = pill_address(Html(member.get("/")))
    post(alice)
    assert ask(member, address).status_code == 204
    arrive(alice, bob)
    post(alice)
    assert Html(ask(member, address)).one("a", id="pill").text == "1 new post"


def test_many_own_posts_do_not_hide_the_one_of_somebody_else(alice, bob, member):
    address = pill_address(Html(member.get("/")))
    for _ in range(25):
        post(alice)
    arrive(alice, bob)
    assert Html(ask(member, address)).one("a", id="pill").text == "1 new post"


def test_posts_that_were_deleted_meanwhile_are_not_new(alice, bob, member):
    address = pill_address(Html(member.get("/")))
    (post_id,) = arrive(alice, bob)
    delete_post(by=bob, post_id=post_id)
    page = Html(ask(member, address))
    assert not page.all("a", id="pill")
    assert ask(member, pill_address(page)).status_code == 204


def test_more_than_a_page_is_said_with_a_plus(alice, member):
    address = pill_address(Html(member.get("/")))
    fill_home(alice, authors(25))
    page = Html(ask(member, address))
    assert page.one("a", id="pill").text == "20+ new posts"
    assert "since" not in pill_address(page)  # more would say nothing new


def test_pressing_it_gives_the_cards_and_a_fresh_slot(alice, bob, member):
    old = arrive(alice, bob)
    address = pill_address(Html(member.get("/")))
    new = arrive(alice, bob, 2)
    show = Html(ask(member, address)).one("a", id="pill")["hx-get"]
    page = Html(ask(member, show))
    assert page.post_ids() == new
    assert not page.all("html")
    slot = page.one(id="pill-slot")
    assert slot["hx-swap-oob"] == "true"
    assert not page.all(id="pill")
    assert ask(member, pill_address(page)).status_code == 204
    arrive(alice, bob)
    assert Html(ask(member, pill_address(page))).one("a", id="pill").text == "1 new post"
    assert old[0] not in page.post_ids()


def test_pressing_it_again_and_again_shows_all_of_many_each_once(alice, member):
    address = pill_address(Html(member.get("/")))
    posts = fill_home(alice, authors(25))
    seen: list[str] = []
    while (answer := ask(member, address)).status_code == 200:
        show = Html(answer).one("a", id="pill")["hx-get"]
        page = Html(ask(member, show))
        seen = page.post_ids() + seen  # each press puts its cards above what is there
        address = pill_address(page)
    assert seen == posts


def test_pressing_it_when_there_is_nothing_counts_nothing_as_new_again(alice, bob, member):
    """As when the same pill is pressed in two windows, or its posts were deleted."""
    arrive(alice, bob, 3)
    address = pill_address(Html(member.get("/")))
    page = Html(ask(member, f"/new?since={since(address)}&show=1"))
    assert page.post_ids() == []
    assert ask(member, pill_address(page)).status_code == 204


def test_without_htmx_it_is_never_shown(alice, bob, member):
    arrive(alice, bob)
    address = pill_address(Html(member.get("/")))
    arrive(alice, bob)
    for path in (address, "/new", "/new?show=1"):
        response = member.get(path)
        assert (response.status_code, response["Location"]) == (302, "/")


def test_a_page_from_before_the_badges_came_along_hears_of_nothing_and_its_pill_still_shows_posts(
    alice, bob, member
):
    before = f"/new?since={since(pill_address(Html(member.get('/'))))}"
    new = arrive(alice, bob)
    assert ask(member, before).status_code == 204
    assert Html(ask(member, f"{before}&show=1")).post_ids() == new
    assert ask(member, "/new").status_code == 204


def test_somebody_elses_place_is_refused(alice, bob, member, log_in):
    address = pill_address(Html(log_in(bob).get("/")))
    assert ask(member, address).status_code == 400


# The last people who posted: kept in each process for some seconds, while each page asks anew who may be shown.

NOW = datetime.now(UTC)


def test_four_shards_of_today_are_enough_where_many_post(table, requests_of):
    posting(ENOUGH)  # within the last half hour, so at midnight some were yesterday
    with requests_of() as requests:
        read_newest_authors()
    assert requests.operations in ([*["Query"] * many, "BatchGetItem"] for many in (4, 8))
    assert all(request.parameters["Limit"] == 20 for request in requests.made[:-1])
    assert requests.made[-1].keys == ENOUGH


def test_a_quiet_site_is_read_two_days_back_at_most(table, requests_of):
    with requests_of() as requests:
        read_newest_authors()
    assert requests.operations == ["Query"] * 8


def test_they_are_read_once_for_all_pages_of_a_process(alice, bob, log_in, requests_of):
    fill_local(bob.user_id, [NOW])
    Client().get("/")
    with requests_of() as requests:
        for browser, path in ((Client(), "/"), (Client(), "/explore"), (log_in(alice), "/welcome")):
            assert browser.get(path).status_code == 200
    days = [one for one in requests.made if "public#" in str(one.parameters)]
    assert days == []


def test_after_half_a_minute_they_are_read_anew(alice, bob, carol, monkeypatch):
    fill_local(bob.user_id, [NOW])
    assert list(newest_authors().posts) == [bob.user_id]
    fill_local(carol.user_id, [NOW + timedelta(milliseconds=1)])
    assert list(newest_authors().posts) == [bob.user_id]
    monkeypatch.setattr(reads, "KEPT_FOR", -1.0)
    reset_process_state()
    assert set(newest_authors().posts) == {bob.user_id, carol.user_id}


def test_a_failed_read_keeps_nothing(alice, bob, monkeypatch):
    def fail():
        raise Unavailable

    fill_local(bob.user_id, [NOW])
    with monkeypatch.context() as patch:
        patch.setattr(reads, "read_newest_authors", fail)
        with pytest.raises(Unavailable):
            newest_authors()
    assert list(newest_authors().posts) == [bob.user_id]


@pytest.mark.parametrize("path", ["/explore", "/welcome"])
def test_a_block_a_mute_and_a_suspension_act_at_once_all_the_same(
    alice, bob, carol, mod, log_in, path
):
    for author in (bob, carol, mod):
        fill_local(author.user_id, [NOW])
    browser = log_in(alice)
    assert set(Html(browser.get(path)).handles()) == {"bob", "carol", "moddy"}
    block(by=bob, user_id=alice.user_id)
    assert set(Html(browser.get(path)).handles()) == {"carol", "moddy"}
    mute(by=alice, user_id=carol.user_id)
    assert Html(browser.get(path)).handles() == ["moddy"]
    for_ever = [UserInfo.suspended_until.set("9999-12-31T00:00:00+00:00")]
    change(UserInfo, keys.user_info(mod.user_id), for_ever)
    assert Html(browser.get(path)).handles() == []


def test_a_deleted_post_is_gone_from_the_landing_page_at_once(alice, drain_stream):
    post_id = post(alice)
    drain_stream()
    assert Html(Client().get("/")).post_ids() == [post_id]
    delete_post(by=alice, post_id=post_id)
    assert Html(Client().get("/")).post_ids() == []


def test_while_one_thread_reads_anew_the_others_show_the_last_ones(bob, monkeypatch):
    fill_local(bob.user_id, [NOW])
    monkeypatch.setattr(reads, "KEPT_FOR", -1.0)
    shown = newest_authors()
    with ThreadPoolExecutor(1) as other, reads._newest.reading:
        asked = other.submit(newest_authors)
        try:
            assert asked.result(timeout=60) is shown
        finally:
            reset_process_state()


# Cursors in addresses: altered, cut off, or of another list, they get the page that says so.

SPOILT: dict[str, Callable[[str], str]] = {
    "cut off": lambda cursor: cursor[:-1],
    "cut in half": lambda cursor: cursor[: len(cursor) // 2],
    "first letter": lambda cursor: ("y" if cursor[0] == "x" else "x") + cursor[1:],
    "other direction": lambda cursor: ("b" if cursor[0] == "c" else "c") + cursor[1:],
    "last byte": lambda cursor: cursor[:-4] + ("AAAA" if cursor[-4:] != "AAAA" else "BBBB"),
    "in the old form, unsigned": lambda cursor: f"{cursor}.{'A' * 43}",
    "with a sign in it": lambda cursor: cursor[:8] + "!" + cursor[8:],
    "one place only": lambda cursor: "bg",
    "twice": lambda cursor: cursor * 2,
    "very long": lambda cursor: cursor * 200,
    "letters": lambda cursor: "abc",
    "a dot": lambda cursor: ".",
    "not ascii": lambda cursor: "é陈",
    "a number": lambda cursor: "2",
}


@pytest.fixture
def lists(alice) -> list[str]:
    """Addresses of lists that have a second page."""
    posts = [post(alice) for _ in range(22)]
    people = authors(22)
    like = {"post_id": posts[0], "author_id": alice.user_id}
    write_batch(puts=[*people, *(Like.new(**like, user_id=one.user_id) for one in people)])
    fill_home(alice, people)
    return ["/@alice", "/", f"/@alice/posts/{posts[0]}/likers"]


@pytest.fixture
def cursors(lists, member) -> dict[str, str]:
    """Each list's address with the cursor of its second page."""

    def second(path: str) -> str:
        return Html(member.get(path)).link("next").partition("?page=")[2]

    return {path: second(path) for path in lists}


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_a_spoilt_cursor_gets_the_page_that_says_so(cursors, member, extra):
    for path, cursor in cursors.items():
        assert member.get(path, {"page": cursor}, **extra).status_code == 200
        for how, spoil in SPOILT.items():
            response = member.get(path, {"page": spoil(cursor)}, **extra)
            assert response.status_code == 400, (path, how)
            assert "This link has expired" in response.content.decode()


def test_a_cursor_of_another_list_is_refused(cursors, member):
    for path in cursors:
        for other, cursor in cursors.items():
            status = member.get(path, {"page": cursor}).status_code
            assert status == (200 if other == path else 400), (path, other)


def test_a_home_cursor_of_somebody_else_is_refused(cursors, bob, log_in):
    assert log_in(bob).get("/", {"page": cursors["/"]}).status_code == 400


def test_the_local_list_takes_only_its_own(cursors, member):
    for cursor in (cursors["/@alice"], "abc", "é", "." * 500):
        assert member.get("/local", {"page": cursor}).status_code == 400


def test_a_spoilt_place_of_the_pill_is_refused(cursors, member):
    since = Html(member.get("/")).one(id="pulse")["hx-get"].partition("&since=")[2]
    for how, spoil in SPOILT.items():
        for path in ("/pulse", "/new"):
            response = member.get(path, {"since": spoil(since), "show": 1}, headers=HTMX)
            assert response.status_code == 400, how


def test_an_empty_cursor_is_the_first_page(alice, member):
    post_id = post(alice)
    assert Html(member.get("/?page=")).post_ids() == [post_id]


def test_a_cursor_outlives_the_post_it_was_made_at(cursors, member, alice):
    second = Html(member.get("/@alice", {"page": cursors["/@alice"]})).post_ids()
    edge = Html(member.get("/@alice")).post_ids()[-1]
    member.post(f"/@alice/posts/{edge}/delete")
    assert Html(member.get("/@alice", {"page": cursors["/@alice"]})).post_ids() == second


def test_a_cursor_does_not_lead_to_a_list_that_is_not_there(cursors, member):
    path = f"/@alice/posts/{new_id()}/likers"
    assert member.get(path, {"page": cursors["/@alice"]}).status_code == 404
