"""What a post said before: each text with its time, for those who may see the post, until it is deleted."""

import pytest
from django.test import Client

from feed.posts.models import Audience
from feed.publishing.writes import delete_post, publish_post
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.table import keys, query, write_batch
from tests.conftest import post
from tests.feed.answers import answer
from tests.feed.editing.edits import broken, edit, stored
from tests.moderation.restricting import mark_sensitive, withhold
from tests.streams.records import everything, handle_all, lines, unread
from tests.web.html import Html


def told(browser: Client, post_id: str) -> list[str]:
    """The texts, each of one word, which is the last of what an edit changed."""
    page = Html(browser.get(f"/@alice/posts/{post_id}/history"))
    texts = page.one("ol", class_="versions") and page.all(class_="post-text")
    return [one.text.rpartition(" ")[2] for one in texts]


def kept(post_id: str) -> list[str]:
    return [raw["content"]["S"] for raw in query(keys.history(post_id), consistent=True)]


def test_it_shows_every_text_newest_first_with_its_time(alice, bob, log_in):
    post_id = post(alice, "One")
    for text in ("Two", "Three"):
        edit(alice, post_id, text)
    assert kept(post_id) == ["One", "Two"]
    for browser in (log_in(alice), log_in(bob), Client()):
        assert told(browser, post_id) == ["Three", "Two", "One"]
    page = Html(Client().get(f"/@alice/posts/{post_id}/history"))
    times = [one["datetime"] for one in page.one("main") and page.all("time")]
    assert times == sorted(times, reverse=True)
    assert len(times) == 3
    assert [one.text for one in page.all(class_="chip")] == ["Now"]


def test_a_post_that_was_never_edited_has_its_text_alone(alice):
    assert told(Client(), post(alice, "One")) == ["One"]


def test_an_earlier_text_links_whom_it_mentioned_then(alice, bob, carol):
    post_id = post(alice, "With @bob")
    edit(alice, post_id, "With @carol")
    page = Html(Client().get(f"/@alice/posts/{post_id}/history"))
    assert page.all("a", href=f"/@bob?id={bob.user_id}")
    assert page.all("a", href=f"/@carol?id={carol.user_id}")


def test_it_is_as_closed_as_the_post(alice, bob, carol, log_in):
    follow(by=bob, user_id=alice.user_id)
    for_followers = publish_post(by=alice, content="One", nonce="n", audience=Audience.FOLLOWERS)
    edit(alice, for_followers, "Two")
    assert told(log_in(bob), for_followers) == ["Two", "One"]
    for browser in (Client(), log_in(carol)):
        assert browser.get(f"/@alice/posts/{for_followers}/history").status_code == 404
    block(by=alice, user_id=bob.user_id)
    assert log_in(bob).get(f"/@alice/posts/{for_followers}/history").status_code == 404


def test_of_a_post_that_a_moderator_hid_only_the_author_sees_it(alice, bob, log_in):
    post_id = post(alice, "One")
    edit(alice, post_id, "Two")
    withhold(alice, post_id)
    assert told(log_in(alice), post_id) == ["Two", "One"]
    for browser in (Client(), log_in(bob)):
        assert browser.get(f"/@alice/posts/{post_id}/history").status_code == 404


def test_of_a_sensitive_post_every_text_is_covered(alice, bob, log_in):
    post_id = post(alice, "One")
    edit(alice, post_id, "Two")
    mark_sensitive(alice, post_id)
    page = Html(log_in(bob).get(f"/@alice/posts/{post_id}/history"))
    assert len(page.all("details", class_="covered")) == 2
    assert all("open" not in one.attributes for one in page.all("details", class_="covered"))


def test_search_engines_leave_it_out(alice):
    page = Html(Client().get(f"/@alice/posts/{post(alice)}/history"))
    assert page.one("meta", name="robots")["content"] == "noindex"


def test_nothing_is_left_of_a_deleted_post_nor_shown_before_the_worker_comes(
    alice, bob, log_in, drain_stream
):
    root = post(bob)
    posts = [post(alice, "One"), answer(alice, bob, root, "One")]
    for post_id in posts:
        edit(alice, post_id, "Two")
        delete_post(by=alice, post_id=post_id)
        for browser in (Client(), log_in(alice)):
            assert browser.get(f"/@alice/posts/{post_id}/history").status_code == 404
    drain_stream()
    assert [kept(post_id) for post_id in posts] == [[], []]
    assert not broken()


@pytest.mark.parametrize("scene", ["edit", "delete"])
def test_the_worker_may_hear_of_it_twice(alice, bob, carol, drain_stream, scene):
    post_id = post(alice, "With @bob")
    edit(alice, post_id, "With @bob!")
    drain_stream()
    if scene == "edit":
        edit(alice, post_id, "With @carol")
    else:
        delete_post(by=alice, post_id=post_id)
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)


def test_the_audit_misses_a_version_that_is_gone(alice):
    post_id = post(alice, "One")
    edit(alice, post_id, "Two")
    assert stored(alice, post_id).version == 2
    write_batch(deletes=[keys.post_version(post_id, 1)])
    assert list(broken()) == ["what a post said before each edit is kept"]
