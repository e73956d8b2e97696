"""Posts on a person's page, in two tabs, and former handles that lead there."""

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from accounts.people.restrictions import Restriction
from accounts.profile.writes import edit_profile, pause_account
from feed.likes.writes import like_post
from feed.posts.models import Audience, Reply
from feed.profiles.reads import list_posts, list_replies
from feed.publishing.writes import publish_post
from operations.invariants import Invariants
from relations.blocks.writes import block
from relations.directory import search_people
from relations.follows.writes import follow
from relations.reads import list_followers
from socialsite import keys
from socialsite.table import reading
from socialsite.table.reading import scan
from tests.accounts.scenes import let_expire, rename
from tests.conftest import HTMX, person, post
from tests.feed.scenes import answer
from tests.moderation.cases import restrict
from tests.web.html import Html

# Former handles lead to the person for 90 days: everyone who may see them, and nobody else. Mentions lead to them
# for ever.


def pages(post_id: str) -> list[str]:
    """Every address under a handle that can be looked at: what only takes forms answers 405, and leads nowhere."""
    patterns = [
        pattern
        for resolver in get_resolver().url_patterns
        for pattern in getattr(resolver, "url_patterns", [])
        if isinstance(pattern, URLPattern) and "handle" in pattern.pattern.converters
    ]
    known = {"handle": "alice", "post_id": post_id, "list_id": post_id, "number": 1}
    known["message_id"] = post_id
    return [
        reverse(
            f"{view.lookup_str.partition('.')[0]}:{view.name}",
            kwargs={name: known[name] for name in view.pattern.converters},
        )
        for view in patterns
    ]


def test_links_lead_on_and_no_browser_keeps_that(alice):
    post_id = post(alice)
    rename(alice, "alicia")
    for path in ("", f"/posts/{post_id}", "/followers", "/feed.atom", f"/posts/{post_id}/likers"):
        answer = Client().get(f"/@alice{path}")
        assert (answer.status_code, answer["Location"]) == (302, f"/@alicia{path}")
        assert answer["Cache-Control"] == "no-store"
        assert Client().get(answer["Location"]).status_code == 200
    assert Client().get("/@ALICE?page=x&page=y").status_code == 400  # as under the present handle
    assert Client().head("/@alice")["Location"] == "/@alicia"


def test_where_an_address_went_on_it_goes_on_under_the_present_handle(alice, log_in):
    rename(alice, "alicia")
    for number in range(21):
        post(alice, str(number))
    older = Html(Client().get("/@alicia")).link("next").replace("alicia", "alice")
    assert Client().get(older, headers=HTMX)["Location"] == older.replace("alice", "alicia")
    asked = Client().get("/@alice/replies?x=1&x=2")
    assert asked["Location"] == "/@alicia/replies?x=1&x=2"


def test_of_several_former_handles_each_leads_to_the_present_one(alice):
    rename(alice, "alice_2", "alice_3")
    for former in ("alice", "alice_2"):
        assert Client().get(f"/@{former}")["Location"] == "/@alice_3"
    rename(alice, "alice")
    assert Client().get("/@alice").status_code == 200
    assert Client().get("/@alice_3")["Location"] == "/@alice"


@pytest.mark.parametrize("kind", ["blocked", "paused", "suspended"])
def test_people_who_may_not_see_them_do_not_learn_the_present_handle(alice, bob, log_in, kind):
    post_id = post(alice)
    rename(alice, "alicia")
    match kind:
        case "blocked":
            block(by=alice, user_id=bob.user_id)
        case "paused":
            pause_account(by=alice)
        case "suspended":
            restrict(alice, Restriction.SUSPENDED)
    browser = log_in(bob)
    asked = pages(post_id)
    assert len(asked) > 30
    for path in (*asked, f"/@alice?id={alice.user_id}", f"/@bob?id={alice.user_id}"):
        for headers in ({}, HTMX):
            answer = browser.get(path, headers=headers)
            assert answer.status_code in (404, 405, 410), path
            assert "alicia" not in answer.content.decode() + str(answer.headers), path


def test_a_post_for_friends_leads_strangers_nowhere(alice, bob, log_in):
    post_id = publish_post(by=alice, content="Hush", nonce="n", audience=Audience.FRIENDS)
    rename(alice, "alicia")
    assert log_in(bob).get(f"/@alice/posts/{post_id}").status_code == 404
    assert log_in(alice).get(f"/@alice/posts/{post_id}").status_code == 302


def test_buttons_of_a_page_from_before_still_do_what_they_say(alice, bob, log_in):
    post_id = post(alice)
    rename(alice, "alicia")
    browser = log_in(bob)
    assert browser.post("/@alice/follow", {"on": "1"}, headers=HTMX).status_code == 200
    assert [one.handle for one in list_followers(alice.user_id).items] == ["bob"]
    pressed = browser.post(f"/@alice/posts/{post_id}/like", {"on": "1"}, headers=HTMX)
    assert f"/@alicia/posts/{post_id}/like" in pressed.content.decode()
    muted = browser.post("/@alice/mute", {"on": "1", "length": "1h"}, follow=True)
    assert muted.redirect_chain[-1] == ("/@alicia", 302)
    assert "muted @alice" in muted.content.decode()  # said on the page that is shown at last


def test_after_90_days_the_address_is_nobodys_and_then_another_persons(alice):
    rename(alice, "alicia")
    let_expire("alice")
    assert Client().get("/@alice").status_code == 404
    rename(person("dora", "Dora"), "alice")
    assert "Dora" in Client().get("/@alice").content.decode()


def test_mentions_lead_to_whom_they_meant_whoever_has_the_handle(alice, bob):
    post_id = post(bob, "Hello @alice")
    edit_profile(by=bob, bio="Friend of @alice")
    meant = f"/@alice?id={alice.user_id}"
    for path in ("/@bob", f"/@bob/posts/{post_id}"):
        assert Html(Client().get(path)).all("a", href=meant)
    assert Client().get(meant).status_code == 200
    rename(alice, "alicia")
    assert Client().get(meant)["Location"] == "/@alicia"
    let_expire("alice")
    for _ in range(2):  # while nobody has it, and once another person does
        answer = Client().get(meant)
        assert (answer["Location"], answer["Cache-Control"]) == ("/@alicia", "no-store")
        rename(bob, "alice")
    assert Html(Client().get(f"/@alice/posts/{post_id}")).all("a", href=meant)


def test_a_mention_with_a_former_handle_means_its_person(alice, bob):
    rename(alice, "alicia")
    post_id = post(bob, "Hello @alice")
    page = Html(Client().get(f"/@bob/posts/{post_id}"))
    assert page.all("a", href=f"/@alice?id={alice.user_id}")


@pytest.mark.parametrize("meant", ["", "x", "u#1", "0" * 3000, "%00"])
def test_what_is_no_id_means_nobody_else(alice, meant):
    assert Client().get("/@alice", {"id": meant}).status_code == 200


def test_lists_and_search_say_the_present_handle(alice, bob, log_in, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice)
    drain_stream()
    rename(alice, "alicia")
    drain_stream()
    assert [one.handle for one in search_people("alicia").items] == ["alicia"]
    assert [one.handle for one in search_people("archer").items] == ["alicia"]
    home = log_in(bob).get("/").content.decode()
    assert f"/@alicia/posts/{post_id}" in home
    assert "@alice<" not in home
    invariants = Invariants()
    for raw in scan():
        invariants.add(raw)
    assert not any(invariants.results().values())


def test_a_former_address_costs_one_read_more(alice, measure):
    with measure() as present:
        Client().get("/@alice")
    rename(alice, "alicia")
    with measure() as former:
        Client().get("/@alice")
    assert former.read_units - present.read_units == 0.5


# Posts and replies of a person in two tabs, however many of the one lie between the others.


@pytest.fixture
def written(alice, bob, monkeypatch) -> dict[str, list[str]]:
    """Bob's posts and replies, newest first, with many replies in a row; five are looked at for a page."""
    monkeypatch.setattr("feed.profiles.reads.LOOKED_AT", 5)
    root = post(alice)
    posts, replies = [post(bob)], []
    for number in range(13):
        replies.append(answer(bob, alice, root))
        if number in (3, 4):
            posts.append(post(bob))
    return {"posts": posts[::-1], "replies": replies[::-1]}


@pytest.mark.parametrize(("tab", "pages_of"), [("posts", list_posts), ("replies", list_replies)])
def test_no_page_loses_or_repeats_any(bob, written, tab, pages_of):
    seen, cursors, cursor = [], [], None
    while True:
        page = pages_of(bob.card, cursor=cursor)
        seen += [card.post_id for card in page.items]
        if not page.next_cursor:
            break
        cursor = page.next_cursor
        cursors.append(cursor)
    assert seen == written[tab]
    assert cursors
    back = page
    while back.previous_cursor:
        back = pages_of(bob.card, cursor=back.previous_cursor)
    assert [card.post_id for card in back.items] == written[tab][: len(back.items)]


def test_the_copy_of_a_reply_knows_whom_it_mentions(alice, bob, carol):
    root = post(alice)
    first = answer(bob, alice, root, "Ask @carol about it")
    place = reading.get(Reply, keys.reply_place(root, first), consistent=True)
    assert place.mentions.as_dict() == {"carol": carol.user_id}


def test_people_see_the_posts_they_like_newest_first(alice, bob, log_in):
    liked = [post(bob, f"Number {number}") for number in range(3)]
    for post_id in liked[:2]:
        like_post(by=alice, post_id=post_id, author_id=bob.user_id)
    page = Html(log_in(alice).get("/@alice/likes"))
    assert page.post_ids() == [liked[1], liked[0]]
    assert page.one("a", href="/@alice/likes")["aria-current"] == "page"


def test_a_liked_post_that_may_no_longer_be_seen_is_left_out(alice, bob, log_in):
    liked = post(bob)
    like_post(by=alice, post_id=liked, author_id=bob.user_id)
    block(by=bob, user_id=alice.user_id)
    assert Html(log_in(alice).get("/@alice/likes")).post_ids() == []


def test_nobody_sees_what_others_like(alice, bob, log_in):
    assert log_in(bob).get("/@alice/likes").status_code == 404
    assert not Html(log_in(bob).get("/@alice")).all("a", href="/@alice/likes")
