"""Up to three posts stay at the top of their author's page, for those who may see them."""

from functools import partial

import pytest
from django.test import Client

from accounts.models import UserCount
from accounts.people.restrictions import Restriction
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.changes import CannotPin, pin_post, unpin_post
from feed.publishing.writes import delete_post, publish_post
from feed.sharing.writes import repost
from socialsite.table import NotFound, get, keys, query
from tests.conftest import HTMX, post
from tests.feed.answers import answer
from tests.feed.editing.edits import broken, edit
from tests.moderation.restricting import restrict, withhold
from tests.together import together
from tests.web.html import Html

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


def press(browser: Client, post_id: str, on: str = "1", **extra):
    return browser.post(f"/@alice/posts/{post_id}/pin", {"on": on}, **extra)


def pins(person) -> set[str]:
    return set(get(UserCount, keys.user_count(person.user_id), consistent=True).pins or ())


def shown(browser: Client, path: str = "/@alice") -> tuple[int, list[str]]:
    """How many posts say that they are pinned, and all posts of the page."""
    page = Html(browser.get(path))
    return len(page.all("p", class_="pinned-says")), page.post_ids()


@BOTH
def test_a_pinned_post_stands_on_top_and_not_twice(alice, bob, log_in, extra):
    first, second = post(alice), post(alice)
    for _ in range(2):  # sent twice
        assert press(log_in(alice), first, **extra).status_code in (200, 302)
    for browser in (log_in(alice), log_in(bob), Client()):
        assert shown(browser) == (1, [first, second])
    press(log_in(alice), first, "0", **extra)
    press(log_in(alice), first, "0", **extra)
    assert shown(Client()) == (0, [second, first])
    assert not broken()


def test_pins_are_on_the_first_page_of_posts_alone(alice, log_in):
    oldest = post(alice)
    pin_post(by=alice, post_id=oldest)
    for _ in range(25):
        post(alice)
    page = Html(Client().get("/@alice"))
    assert page.post_ids()[0] == oldest
    assert page.post_ids().count(oldest) == 1
    older = page.link("next")
    assert older
    assert shown(Client(), older)[0] == 0
    assert shown(Client(), "/@alice/replies")[0] == 0


@BOTH
def test_the_dialog_asks_and_knows_what_is_pinned(alice, log_in, extra):
    post_id = post(alice)
    browser, address = log_in(alice), f"/@alice/posts/{post_id}/pin"
    for expected in ("1", "0"):
        page = Html(browser.get(address, **extra))
        assert page.one("form", action=address)["method"] == "post"
        assert page.value("on") == expected
        assert bool(page.all("html")) != bool(extra)
        if expected == "1":
            assert pins(alice) == set()
            press(browser, post_id)


@BOTH
def test_a_fourth_is_refused_in_a_sentence(alice, log_in, extra):
    posts = [post(alice) for _ in range(4)]
    browser = log_in(alice)
    for post_id in posts[:3]:
        press(browser, post_id)
    response = press(browser, posts[3], **extra)
    assert response.status_code == 409
    assert "You can pin 3 posts. Unpin one of them first." in response.content.decode()
    assert pins(alice) == set(posts[:3])
    press(browser, posts[0], "0")
    assert press(browser, posts[3], **extra).status_code in (200, 302)


def test_what_is_deleted_or_withheld_vanishes_by_itself_and_makes_room(alice, log_in):
    posts = [post(alice) for _ in range(5)]
    for post_id in posts[:3]:
        pin_post(by=alice, post_id=post_id)
    delete_post(by=alice, post_id=posts[0])
    withhold(alice, posts[1])
    assert shown(Client()) == (1, [posts[2], posts[4], posts[3]])
    for post_id in posts[3:]:
        pin_post(by=alice, post_id=post_id)
    assert pins(alice) == set(posts[2:])


def test_each_viewer_sees_of_the_pinned_what_they_may_see(alice, bob, log_in):
    for_me = publish_post(by=alice, content="Mine", nonce="n", audience=Audience.ONLY_ME)
    pin_post(by=alice, post_id=for_me)
    assert shown(log_in(alice)) == (1, [for_me])
    assert shown(log_in(bob)) == shown(Client()) == (0, [])


def test_of_many_pins_at_once_three_are_taken(alice):
    posts = [post(alice) for _ in range(5)]
    results = together(*(partial(pin_post, by=alice, post_id=one) for one in posts))
    assert sum(isinstance(one, CannotPin) for one in results) == 2
    assert len(pins(alice)) == 3


def test_only_ones_own_posts_and_no_replies_can_be_pinned(alice, bob, log_in):
    post_id = post(alice)
    reply_id = answer(alice, alice, post_id)
    for browser, address in (
        (log_in(bob), f"/@alice/posts/{post_id}/pin"),
        (log_in(bob), f"/@bob/posts/{post_id}/pin"),
        (log_in(alice), f"/@alice/posts/{reply_id}/pin"),
    ):
        assert browser.get(address).status_code == 404
        assert browser.post(address, {"on": "1"}).status_code == 404
    for by, one in ((bob, post_id), (alice, reply_id)):
        with pytest.raises(NotFound):
            pin_post(by=by, post_id=one)
    unpin_post(by=bob, post_id=post_id)
    assert pins(alice) == pins(bob) == set()


def test_a_withheld_post_is_not_pinned_and_nonsense_is_refused(alice, log_in):
    post_id = post(alice)
    assert press(log_in(alice), post_id, "maybe").status_code == 400
    withhold(alice, post_id)
    response = press(log_in(alice), post_id)
    assert response.status_code == 409
    assert "Only you can see this post" in response.content.decode()


def test_a_frozen_person_is_refused(alice, log_in):
    post_id = post(alice)
    restrict(alice, Restriction.FROZEN)
    assert press(log_in(alice), post_id).status_code == 403
    assert pins(alice) == set()


def test_the_menu_offers_what_is_left_to_do(alice, log_in):
    post_id = post(alice)
    browser = log_in(alice)
    for said in ("Pin to your profile", "Unpin"):
        (entry,) = Html(browser.get("/@alice")).all("a", href=f"/@alice/posts/{post_id}/pin")
        assert entry.text == said
        press(browser, post_id)


def test_a_repost_is_nothing_to_edit_or_pin(alice, bob, log_in):
    repost(by=alice, post=Pointer(post(bob), bob.user_id))
    (raw,) = query(keys.posts(alice.user_id))
    repost_id = raw["post_id"]["S"]
    assert press(log_in(alice), repost_id).status_code == 404
    with pytest.raises(NotFound):
        pin_post(by=alice, post_id=repost_id)
    with pytest.raises(NotFound):
        edit(alice, repost_id, "Mine", 1)
