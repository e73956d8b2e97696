"""What word rules and held first posts do to a post that is published."""

import secrets

import pytest
from django.test import Client

from accounts.models import UserCount
from accounts.people.reads import get_user_info
from feed.posts.content_checks import MOST_FLAGS, RefusedByRules
from feed.posts.models import Audience, Post
from feed.publishing.writes import delete_post, publish_post
from socialsite.site_settings.word_filters import Effect, WordKind
from socialsite.table import change, get, ids, keys
from tests.conftest import HTMX, post
from tests.moderation.site import set_up, word_rule
from tests.web.html import Html


def publish(browser: Client, content: str, **extra):
    return browser.post("/posts", {"content": content, "nonce": secrets.token_urlsafe(16)}, **extra)


def stored(viewer, post_id: str) -> Post:
    return get(Post, keys.post(viewer.user_id, post_id), consistent=True)


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_a_refused_post_is_not_published_and_its_text_stays(admin, alice, log_in, extra):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    response = publish(log_in(alice), "Buy cheap  PILLS here", **extra)
    page = Html(response)
    assert response.status_code == 422
    assert "No spam" in page.one(id="composer-error").text
    assert page.value("content") == "Buy cheap  PILLS here"
    assert get_user_info(alice.user_id).posts == 0
    assert publish(log_in(alice), "Buy pills, cheap").status_code == 302


def test_a_rule_that_names_no_rule_of_the_site_says_so_too(admin, alice, log_in):
    word_rule(admin, "pills", Effect.REFUSE, site_rule="")
    page = Html(publish(log_in(alice), "pills"))
    assert "aren’t allowed here" in page.one(id="composer-error").text


def test_whoever_calls_the_service_meets_the_rules(admin, alice):
    word_rule(admin, "pills", Effect.REFUSE)
    with pytest.raises(RefusedByRules):
        post(alice, "pills")


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_a_held_post_waits_and_does_not_count(admin, alice, bob, log_in, extra):
    rule_id = word_rule(admin, "casino", Effect.HOLD)
    browser = log_in(alice)
    response = publish(browser, "casino!", **extra)
    page = Html(response if extra else browser.get(response["Location"]))
    said = response["HX-Trigger"] if extra else page.one(id="toasts").text
    assert "A moderator will review your post" in said
    (post_id,) = page.post_ids()
    assert (stored(alice, post_id).withheld, stored(alice, post_id).flagged) == ("held", rule_id)
    assert get_user_info(alice.user_id).posts == 0
    assert log_in(bob).get(f"/@alice/posts/{post_id}").status_code == 404
    delete_post(by=alice, post_id=post_id)
    assert get_user_info(alice.user_id).posts == 0


def test_a_flagged_post_is_published_and_names_the_rules(admin, alice, bob, log_in):
    first = word_rule(admin, "casino", Effect.FLAG)
    second = word_rule(admin, "spam.example", Effect.FLAG, kind=WordKind.LINK)
    post_id = post(alice, "A casino at https://www.spam.example/")
    assert set(str(stored(alice, post_id).flagged).split()) == {first, second}
    assert get_user_info(alice.user_id).posts == 1
    assert log_in(bob).get(f"/@alice/posts/{post_id}").status_code == 200
    assert stored(alice, post(alice, "Nothing in it")).flagged is None


def test_a_post_stays_small_however_many_rules_it_meets(admin, alice):
    words = [f"w{number}" for number in range(MOST_FLAGS + 2)]
    for word in words:
        word_rule(admin, word, Effect.FLAG)
    flagged = stored(alice, post(alice, " ".join(words))).flagged
    assert len(str(flagged).split()) == MOST_FLAGS


def test_the_strongest_of_several_rules_holds(admin, alice):
    word_rule(admin, "casino", Effect.FLAG)
    word_rule(admin, "bonus", Effect.HOLD)
    assert stored(alice, post(alice, "casino bonus")).withheld == "held"
    word_rule(admin, "now", Effect.REFUSE)
    with pytest.raises(RefusedByRules):
        post(alice, "casino bonus now")


def test_what_is_for_oneself_alone_is_judged_by_nobody(admin, alice):
    word_rule(admin, "casino", Effect.REFUSE)
    set_up(admin, hold_first_posts=3)
    post_id = publish_post(by=alice, content="casino", nonce="n", audience=Audience.ONLY_ME)
    assert stored(alice, post_id).withheld is None


@pytest.mark.parametrize("audience", [Audience.FOLLOWERS, Audience.FRIENDS])
def test_what_is_for_some_is_judged(admin, alice, audience):
    word_rule(admin, "casino", Effect.REFUSE)
    with pytest.raises(RefusedByRules):
        publish_post(by=alice, content="casino", nonce="n", audience=audience)


def test_first_posts_wait_until_moderators_have_let_as_many_through(admin, alice, bob, log_in):
    for number in range(2):
        post(bob, f"number {number}")
    set_up(admin, hold_first_posts=2)
    assert stored(bob, post(bob)).withheld is None
    first, second = post(alice), post(alice, "again")
    assert stored(alice, first).withheld == stored(alice, second).withheld == "held"
    _release(alice, first)
    assert stored(alice, post(alice, "third")).withheld == "held"
    _release(alice, second)
    assert stored(alice, post(alice, "fourth")).withheld is None


def test_first_posts_of_staff_do_not_wait(admin, mod):
    set_up(admin, hold_first_posts=2)
    assert stored(mod, post(mod)).withheld is None


def test_a_form_sent_again_finds_its_held_post(admin, alice):
    word_rule(admin, "casino", Effect.HOLD)
    nonce = ids.new_id()
    first, again = (publish_post(by=alice, content="casino", nonce=nonce) for _ in range(2))
    assert first == again


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_publishing_costs(admin, alice, measure):
    def cost(content: str) -> list[tuple[str, float]]:
        with measure() as meter:
            post(alice, content)
        return [(call.operation, call.units) for call in meter.calls]

    word_rule(admin, "held", Effect.HOLD)
    word_rule(admin, "limited", Effect.LIMIT)  # by the stream worker
    cost("the copy of the rules is read anew")
    assert cost("nothing") == [("TransactWriteItems", 10)]
    assert cost("held") == [("TransactWriteItems", 8)]
    assert cost("limited") == [("TransactWriteItems", 10)]
    set_up(admin, hold_first_posts=50)
    cost("the copy of the rules is read anew, once more")
    assert cost("a first post") == [("GetItem", 0.5), ("TransactWriteItems", 8)]


def _release(author, post_id: str) -> None:
    """As moderators do, with the count that it brings."""
    change(Post, keys.post(author.user_id, post_id), [Post.withheld.remove()])
    change(UserCount, keys.user_count(author.user_id), [UserCount.posts.add(1)])
