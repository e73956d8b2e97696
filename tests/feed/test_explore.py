"""The local timeline, people to follow, and the first steps after signing up."""

import os
from datetime import UTC, datetime, time, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import UserCount, UserInfo
from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.people.viewer import Viewer
from accounts.profile.writes import edit_profile
from feed.cards import reads
from feed.cards.post_card import PostCard
from feed.home.reads import newest_authors, suggest_people
from feed.likes.writes import like_post, unlike_post
from feed.publishing.writes import delete_post
from feed.timelines.local import DAYS, SCOPE, SHARDS, list_public, shard_of
from relations.blocks.writes import block, mute, unmute
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.table import Place, change, ids, keys, write_batch, write_cursor
from socialsite.table.ids import last_id_before, new_id
from tests.accounts.pictures import encode, halves
from tests.conftest import HTMX, PASSWORD, person, post
from tests.feed.timelines import fill_local, posting
from tests.relations.scenes import people_you_may_know
from tests.web.html import Html

NOW = datetime.now(UTC)
NOON = datetime.combine(NOW.date() - timedelta(days=1), time(12), UTC)  # of a day that is over
MOST_PAGES = 20


def walk(browser: Client, address: str = "/local") -> list[list[str]]:
    """The posts of each page, following the link to the older one."""
    pages: list[list[str]] = []
    following: str | None = address
    while following:
        page = Html(browser.get(following))
        pages.append(page.post_ids())
        following = page.link("next")
        assert len(pages) < MOST_PAGES
    return pages


def everything(browser: Client) -> list[str]:
    return [post_id for page in walk(browser) for post_id in page]


def test_a_post_is_local_when_the_worker_has_passed(alice, bob, log_in, drain_stream):
    posts = [post(alice), post(bob), post(alice)]
    drain_stream()
    for browser in (Client(), log_in(bob)):
        assert Html(browser.get("/local")).post_ids() == posts[::-1]


def test_posts_of_one_day_are_merged_from_all_shards_in_order(alice):
    moments = [NOW - timedelta(seconds=number) for number in range(45)]
    posts = fill_local(alice.user_id, moments)
    assert {shard_of(post_id) for post_id in posts} == set(range(SHARDS))
    pages = walk(Client())
    assert [len(page) for page in pages[:3]] == [20, 20, 5]
    assert [*pages[0], *pages[1], *pages[2]] == sorted(posts, reverse=True)


def test_posts_of_several_days_follow_each_other_without_gap_or_double(alice):
    moments = [NOW - timedelta(hours=5 * number, seconds=1) for number in range(30)]
    posts = fill_local(alice.user_id, moments)
    assert everything(Client()) == sorted(posts, reverse=True)


def test_a_quiet_time_in_between_does_not_end_the_list(alice):
    now = utc_now()
    posts = fill_local(alice.user_id, [now, now - timedelta(days=DAYS - 1)])
    assert everything(Client()) == posts


def test_a_page_that_ends_at_midnight_goes_on_the_day_before(alice):
    midnight = datetime.combine(NOW.date(), datetime.min.time(), UTC)
    around = [timedelta(milliseconds=number) for number in range(-21, 21)]
    posts = fill_local(alice.user_id, [midnight - timedelta(days=1) + step for step in around])
    assert everything(Client()) == posts[::-1]


def test_the_list_ends_after_some_days(alice):
    fill_local(alice.user_id, [NOW - timedelta(days=DAYS + 3)])
    assert everything(Client()) == []


def test_a_deleted_post_is_gone_before_the_worker_has_run(alice, drain_stream):
    kept, gone = post(alice), post(alice)
    drain_stream()
    delete_post(by=alice, post_id=gone)
    assert everything(Client()) == [kept]


def test_a_post_of_somebody_who_is_gone_is_left_out(alice):
    fill_local(new_id(), [NOW])
    (kept,) = fill_local(alice.user_id, [NOW - timedelta(seconds=1)])
    assert everything(Client()) == [kept]


def test_more_posts_come_as_a_fragment_over_htmx(alice):
    fill_local(alice.user_id, [NOW - timedelta(seconds=number) for number in range(25)])
    first = Html(Client().get("/local"))
    fragment = Html(Client().get(first.link("next"), headers=HTMX))
    assert len(fragment.post_ids()) == 5
    assert not fragment.all("html")


def test_a_visitor_likes_by_signing_in_and_a_member_by_a_button(alice, bob, log_in):
    (post_id,) = fill_local(alice.user_id, [NOW])
    visitor, member = Html(Client().get("/local")), Html(log_in(bob).get("/local"))
    assert not visitor.all(id=f"like-button-{post_id}")
    assert visitor.one("div", class_="like")
    assert member.one("button", id=f"like-button-{post_id}")


def test_nothing_to_show_is_said(table):
    assert "quiet here" in Client().get("/local").content.decode()


# What is the viewer's own, on a page of one day


def busy_day(count: int = 25) -> tuple[list[Viewer], list[str]]:
    """So many people who posted on a day that is over, and their posts, newest first."""
    people = [person(f"author{number:02}") for number in range(count)]
    posts = [
        fill_local(one.user_id, [NOON - timedelta(seconds=number)])[0]
        for number, one in enumerate(people)
    ]
    return people, posts


def page_of_that_day(viewer: Viewer) -> list[PostCard]:
    cursor = write_cursor(SCOPE, Place("next", last_id_before(datetime.combine(NOW, time(), UTC))))
    return list(list_public(viewer=viewer, cursor=cursor).items)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_is_the_viewers_own_takes_two_queries_and_no_key(alice, requests_of):
    busy_day()
    with requests_of() as requests:
        assert len(page_of_that_day(alice)) == 20
    assert requests.operations == [*["Query"] * 6, "BatchGetItem"]
    assert requests.made[-1].keys == 60
    assert sum(requests.units) <= 4 * 1 + 2 * 0.5 + 30


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_day_that_lacks_one_post_of_a_page_pays_for_the_day_before_alone(alice, requests_of):
    people, _ = busy_day(20)
    fill_local(people[0].user_id, [NOON - timedelta(days=1)])
    with requests_of() as requests:
        assert len(page_of_that_day(alice)) == 20
    assert requests.operations == [*["Query"] * 8, *["BatchGetItem"] * 2]


def test_a_block_a_mute_and_a_like_show_at_once_all_the_same(alice):
    people, posts = busy_day()
    like_post(by=alice, post_id=posts[3], author_id=people[3].user_id)
    block(by=people[0], user_id=alice.user_id)
    mute(by=alice, user_id=people[1].user_id)
    page = page_of_that_day(alice)
    assert [one.post_id for one in page] == posts[2:20]
    assert [one.post_id for one in page if one.liked] == [posts[3]]
    unlike_post(by=alice, post_id=posts[3])
    unmute(by=alice, user_id=people[1].user_id)
    page = page_of_that_day(alice)
    assert [one.post_id for one in page] == posts[1:20]
    assert not any(one.liked for one in page)


def test_who_liked_very_much_is_asked_for_the_rest_by_key(alice, monkeypatch):
    people, posts = busy_day()
    liked = posts[:20:2]
    for number, post_id in enumerate(posts):
        if post_id in liked:
            like_post(by=alice, post_id=post_id, author_id=people[number].user_id)
    monkeypatch.setattr(reads, "MOST", 4)
    assert [one.post_id for one in page_of_that_day(alice) if one.liked] == liked


# People to follow: who posted here lately and is not followed yet, on Explore and in the right column.

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")
A_MOMENT = timedelta(milliseconds=200)  # so that midnight hardly comes between


def suggested(viewer=None, **asked) -> list[str]:
    wanted = {"viewer": viewer} if viewer else {}
    return [one.handle for one in suggest_people(**wanted, **asked)]


def long_here(handle: str, *, followers: int = 0) -> str:
    """Someone who signed up a month ago and has so many followers; their id."""
    user_id = ids.id_at(NOW - timedelta(days=30), os.urandom(10))
    count = UserCount.new(user_id=user_id)
    count.followers = followers
    write_batch(puts=[UserInfo.new(user_id=user_id, handle=handle, name=handle), count])
    return user_id


def test_people_who_have_been_here_come_before_newcomers_who_posted_later(alice, bob):
    fill_local(long_here("dora"), [NOW - A_MOMENT])
    fill_local(bob.user_id, [NOW] * 9)
    assert suggested(alice) == ["dora", "bob"]


def test_many_newcomers_who_post_do_not_hide_who_has_been_here(alice):
    fill_local(long_here("dora"), [NOW - A_MOMENT])
    for number in range(12):
        fill_local(person(f"author{number:02}").user_id, [NOW - number * A_MOMENT / 100])
    assert suggested(alice, size=3) == ["dora", "author00", "author01"]


def test_of_people_who_have_been_here_those_with_most_followers_come_first(alice):
    for number, (handle, followers) in enumerate((("nobodys", 0), ("liked", 2), ("loved", 9))):
        moment = NOW - number * A_MOMENT
        fill_local(long_here(handle, followers=followers), [moment])
    assert suggested(alice) == ["loved", "liked", "nobodys"]


def test_who_posted_last_comes_first_and_each_once(alice, bob, carol, drain_stream):
    for author in (bob, carol, bob, carol, bob):
        post(author)
    drain_stream()
    assert suggested(alice) == ["bob", "carol"]


def test_neither_oneself_nor_who_is_followed_is_suggested(alice, bob, carol, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    for author in (alice, bob, carol):
        post(author)
    drain_stream()
    assert suggested(alice) == ["carol"]


def test_a_visitor_is_shown_everybody_who_posts(alice, bob, drain_stream):
    for author in (alice, bob):
        post(author)
    drain_stream()
    assert suggested() == ["bob", "alice"]


def test_who_opted_out_is_not_suggested(alice, carol, mod):
    for author in (carol, mod):
        fill_local(author.user_id, [NOW])
    change(UserInfo, keys.user_info(carol.user_id), [UserInfo.not_suggested.set("yes")])
    assert suggested(alice) == ["moddy"]


def test_whom_one_mutes_is_not_suggested_until_the_mute_ends(alice, bob, carol):
    for author in (bob, carol):
        fill_local(author.user_id, [NOW])
    mute(by=alice, user_id=bob.user_id)
    assert suggested(alice) == ["carol"]
    unmute(by=alice, user_id=bob.user_id)
    assert set(suggested(alice)) == {"bob", "carol"}


def test_who_is_gone_or_took_the_post_back_is_not_suggested(alice, bob, carol, drain_stream):
    post(bob)
    taken_back = post(carol)
    drain_stream()
    delete_post(by=carol, post_id=taken_back)
    drain_stream()
    write_batch(deletes=[keys.user_info(bob.user_id)])
    assert suggested(alice) == []


def test_yesterday_fills_up_what_today_lacks_and_last_week_does_not(alice, bob, carol, mod):
    now = utc_now()
    fill_local(mod.user_id, [now])
    fill_local(bob.user_id, [now - timedelta(days=1)])
    fill_local(carol.user_id, [now - timedelta(days=5)])
    assert suggested(alice) == ["moddy", "bob"]


def test_no_more_than_asked_for(alice):
    handles = posting(14)
    assert suggested(alice, size=3) == handles[:3]
    assert len(suggested(alice)) == 12


def test_it_is_one_query_and_one_batch_where_the_authors_are_known(alice, requests_of):
    posting(20)
    newest_authors()
    with requests_of() as requests:
        suggest_people(viewer=alice, size=3)
    assert requests.operations == ["Query", "BatchGetItem"]
    assert requests.made[-1].keys == 2 * 11
    assert not any(request.is_consistent for request in requests.made)


@capacity
@pytest.mark.parametrize("posts", [1, 40])
def test_it_costs_the_same_however_much_is_posted(alice, bob, requests_of, posts):
    now = utc_now()
    moments = [now - timedelta(seconds=number + 1) for number in range(40 * posts)]
    fill_local(bob.user_id, moments)
    with requests_of() as requests:
        suggest_people(viewer=alice, size=3)
    assert sum(requests.units) <= 4 + 0.5 + 0.5 + 1


def test_explore_has_whom_one_may_know_above_who_posts_and_nobody_twice(alice, knows_bob, log_in):
    newest = posting(2)
    page = Html(log_in(alice).get("/explore"))
    titles = [title.text for title in page.all("h2", class_="section-title")]
    assert titles == ["People you may know", "New here", "Liked today"]
    assert page.handles() == ["bob", *newest]


def test_a_visitor_is_shown_only_who_posts(alice, knows_bob):
    page = Html(Client().get("/explore"))
    titles = [title.text for title in page.all("h2", class_="section-title")]
    assert titles == ["New here", "Liked today"]


def test_explore_shows_people_to_follow(alice, bob, log_in, drain_stream):
    post(bob)
    drain_stream()
    page = Html(log_in(alice).get("/explore"))
    assert page.handles() == ["bob"]
    assert page.one("button", class_="follow")["aria-pressed"] == "false"
    assert not page.all("section", class_="side-card")
    assert Html(Client().get("/explore")).handles() == ["bob"]


def test_with_nobody_to_suggest_explore_leads_to_local(alice, log_in):
    assert Html(log_in(alice).get("/explore")).all("a", href="/local", class_="button")


def test_explore_is_in_the_navigation_of_everybody(alice, log_in):
    for browser in (log_in(alice), Client()):
        link = Html(browser.get("/explore")).one("a", class_="nav-link", href="/explore")
        assert link["aria-current"] == "page"


# The card of the right column: people to follow, fetched when it is seen.


def test_the_card_of_the_right_column_is_fetched_and_costs_the_page_nothing(
    alice, bob, log_in, drain_stream, requests_of
):
    post(bob)
    drain_stream()
    browser = log_in(alice)
    with requests_of() as requests:
        page = Html(browser.get("/"))
    assert len(requests.made) <= 3
    card = page.one("section", class_="side-card")
    assert card["hx-get"] == "/people-to-follow"
    assert "intersect" in card["hx-trigger"]
    fragment = Html(browser.get(card["hx-get"], headers=HTMX))
    assert fragment.one("button")["id"] == f"side-follow-{bob.user_id}"
    assert not fragment.all("html")


def test_the_card_has_whom_one_may_know_first_then_who_posts_three_in_all(alice, knows_bob, log_in):
    newest = posting(5)
    fragment = Html(log_in(alice).get("/people-to-follow", headers=HTMX))
    assert fragment.handles() == ["bob", *newest[:2]]
    assert [reason.text for reason in fragment.all("p", class_="reason")] == [
        "Followed by Carol 陈",
        *["Posted lately"] * 2,
    ]


def test_the_card_is_three_calls_and_the_authors_once_in_a_while(
    alice, carol, knows_bob, log_in, requests_of
):
    browser = log_in(alice)
    people_you_may_know(viewer=alice)
    newest_authors()
    with requests_of() as requests:
        browser.get("/people-to-follow", headers=HTMX)
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    for handle in posting(4):
        follow(by=carol, user_id=find_user_by_handle(handle))
    write_batch(deletes=[keys.suggestions(alice.user_id)])
    people_you_may_know(viewer=alice)
    with requests_of() as requests:
        browser.get("/people-to-follow", headers=HTMX)
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    assert requests.made[0].keys == 5
    assert requests.made[2].keys <= 4 * 5
    assert not any(request.is_consistent for request in requests.made)


@pytest.mark.parametrize("path", ["/@bob", "/@bob/followers", "/@BOB/following"])
def test_the_card_beside_a_profile_leaves_that_person_out(alice, knows_bob, log_in, path):
    browser, newest = log_in(alice), posting(5)
    card = Html(browser.get(path)).one("section", class_="side-card")
    assert card["hx-get"] == "/people-to-follow?besides=bob"
    assert Html(browser.get(card["hx-get"], headers=HTMX)).handles() == newest[:3]


def test_the_card_beside_a_profile_leaves_out_who_only_posts_here(alice, log_in):
    newest = posting(5)
    address = f"/people-to-follow?besides={newest[1]}"
    fragment = Html(log_in(alice).get(address, headers=HTMX))
    assert fragment.handles() == [newest[0], *newest[2:4]]


@pytest.mark.parametrize("beside", ["", "nobody_here", "<b>", "x" * 3000])
def test_a_strange_handle_leaves_nobody_out(alice, log_in, beside):
    newest = posting(3)
    answer = log_in(alice).get("/people-to-follow", {"besides": beside}, headers=HTMX)
    assert Html(answer).handles() == newest


@pytest.mark.parametrize("page", ["queue", "overview", "log", "invites", "site"])
def test_pages_of_moderation_have_no_card(admin, log_in, page):
    expect_no_card(log_in(admin).get(f"/moderation/{page}"))


def test_the_page_of_operators_has_no_card(admin, log_in):
    expect_no_card(log_in(admin).get("/operations/worker"))


def expect_no_card(answer) -> None:
    assert answer.status_code == 200
    assert b"/people-to-follow" not in answer.content


def test_without_htmx_the_card_is_the_explore_page(alice, log_in):
    assert log_in(alice).get("/people-to-follow")["Location"] == "/explore"


def test_the_card_is_for_members(table):
    assert not Html(Client().get("/local")).all("section", class_="side-card")


def test_who_follows_all_is_told_so(alice, log_in):
    answer = log_in(alice).get("/people-to-follow", headers=HTMX).content.decode()
    assert "You follow everyone who’s posted lately." in answer


def test_a_button_of_the_card_keeps_its_own_id_when_it_was_pressed(alice, bob, log_in):
    browser = log_in(alice)
    for place, prefix in (("side-", "side-"), ("", ""), ("<b>", "")):
        answer = browser.post("/@bob/follow", {"on": "1", "place": place}, headers=HTMX)
        assert Html(answer).one("button")["id"] == f"{prefix}follow-{bob.user_id}"


# First steps after signing up: a picture and some words, three people, and on to the timeline. None is a must.

DORA = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": PASSWORD}


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def picture(content: bytes = b"") -> SimpleUploadedFile:
    return SimpleUploadedFile("me.png", content or encode(halves((40, 40)), "PNG"))


def progress(browser: Client, path: str = "/welcome", **extra) -> str:
    return Html(browser.get(path, **extra)).one(id="welcome-progress").text


@pytest.mark.usefixtures("media")
def test_signing_up_leads_to_the_first_steps_and_they_to_the_timeline(table):
    browser = Client()
    assert browser.post("/signup", DORA)["Location"] == "/welcome"
    page = Html(browser.get("/welcome"))
    assert "Good to have you, Dora" in page.one("main").text
    assert page.one("a", class_="button", href="/").text == "Go to your timeline"


@pytest.mark.usefixtures("media")
def test_picture_and_words_are_saved_and_the_rest_of_the_profile_stays(alice, log_in):
    edit_profile(by=alice, name="Alice Archer", bio="", location="Leipzig")
    browser = log_in(alice)
    for _ in range(2):
        response = browser.post("/welcome", {"bio": "Walks far", "avatar": picture()})
        assert (response.status_code, response["Location"]) == (302, "/welcome")
    card = get_user_info(alice.user_id)
    assert (card.name, card.bio, card.location) == ("Alice Archer", "Walks far", "Leipzig")
    assert card.avatar_url
    page = Html(browser.get("/welcome"))
    assert page.value("bio") == "Walks far"
    assert "Profile saved." in page.one(id="toasts").text


@pytest.mark.usefixtures("media")
def test_words_alone_leave_the_picture(alice, log_in):
    browser = log_in(alice)
    browser.post("/welcome", {"bio": "", "avatar": picture()})
    browser.post("/welcome", {"bio": "Walks far"})
    assert get_user_info(alice.user_id).avatar_url


@pytest.mark.usefixtures("media")
@pytest.mark.parametrize(
    ("field", "sent"),
    [("bio", {"bio": "x" * 501}), ("avatar", {"bio": "Kept", "avatar": picture(b"no picture")})],
)
def test_what_cannot_be_is_said_beside_its_field_and_the_words_stay(alice, log_in, field, sent):
    response = log_in(alice).post("/welcome", sent)
    page = Html(response)
    assert response.status_code == 422
    assert page.error(field)
    assert page.value("bio") == sent["bio"]
    assert get_user_info(alice.user_id).bio == ""


@pytest.mark.usefixtures("media")
def test_people_who_post_are_there_to_be_followed_and_one_comes_back(
    alice, bob, log_in, drain_stream
):
    post(bob)
    drain_stream()
    browser = log_in(alice)
    button = Html(browser.get("/welcome")).one("button", id=f"follow-{bob.user_id}")
    response = browser.post(button["formaction"], {"on": "1"})
    assert response["Location"] == "/welcome"


@pytest.mark.usefixtures("media")
@pytest.mark.parametrize("target", ["//elsewhere.example", "https://elsewhere.example", "\\\\x"])
def test_following_never_leads_to_another_site(alice, bob, log_in, target):
    response = log_in(alice).post(f"/@bob/follow?next={target}", {"on": "1"})
    assert response["Location"] == "/"


@pytest.mark.usefixtures("media")
def test_the_progress_counts_to_three(alice, bob, carol, mod, log_in):
    browser = log_in(alice)
    assert progress(browser) == "0 of 3"
    follow(by=alice, user_id=bob.user_id)
    assert progress(browser) == "1 of 3"
    assert progress(browser, "/welcome/progress", headers=HTMX) == "1 of 3"
    for other in (carol, mod):
        follow(by=alice, user_id=other.user_id)
    assert progress(browser).startswith("Done.")


@pytest.mark.usefixtures("media")
def test_a_follow_tells_the_page_to_look_at_the_progress(alice, bob, log_in):
    step = Html(log_in(alice).get("/welcome")).one("div", hx_get="/welcome/progress")
    answer = log_in(alice).post("/@bob/follow", {"on": "1"}, headers=HTMX)
    assert step["hx-trigger"] == "followed from:body"
    assert "followed" in answer["HX-Trigger"]


@pytest.mark.usefixtures("media")
def test_the_progress_alone_is_the_page(alice, log_in):
    assert log_in(alice).get("/welcome/progress")["Location"] == "/welcome"


@pytest.mark.usefixtures("media")
def test_the_steps_keep_to_their_calls(alice, log_in, measure):
    browser = log_in(alice)
    for path, most in (("/welcome", 11), ("/welcome/progress", 2)):
        with measure() as meter:
            browser.get(path, headers=HTMX)
        assert len(meter.calls) <= most
        assert all(call.is_read for call in meter.calls)
