"""A post that ends by itself, all that can hang on it, and what is left of it: for commands on folders of their own."""

import json
from datetime import timedelta
from typing import Any

from django.test import Client

from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.people.viewer import Viewer
from feed.home.reads import get_timeline
from feed.likes.writes import like_post
from feed.polls.models import PollWish
from feed.posts.reads import Pointer
from feed.publishing.writes import publish_post
from feed.sharing.writes import quote, repost
from feed.threads.writes import reply
from photos.files import list_places
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.worker import Worker
from tests.conftest import person
from tests.feed.scenes import clock_at, photo, remove_expired, vote_for
from tests.looks import broken_invariants, drain

PATHS = ("/@alice", "/@alice/media", "/@alice/feed.atom", "/local", "/tags/cats", "/@bob")


def publish() -> None:
    alice, bob = person("alice"), person("bob")
    follow(by=bob, user_id=alice.user_id)
    publish_post(by=alice, content="It stays", nonce="1")
    post_id = publish_post(
        by=alice,
        content="It ends #cats",
        nonce="2",
        expires_in="1h",
        poll=PollWish(("Tea", "Coffee")),
        photos=[photo(alice)],
    )
    where = Pointer(post_id, alice.user_id)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    vote_for(bob, alice, post_id, 1)
    reply(by=bob, to=where, content="An answer", nonce="3")
    repost(by=bob, post=where)
    quote(by=bob, post=where, content="See there", nonce="4")
    _work()


def tell() -> None:
    """Prints what is seen: while it is there, after its end, once the clock and the worker came, and once the table has
    let go of it."""
    told = [_look()]
    later = utc_now() + timedelta(hours=2)
    with clock_at(later):
        told.append(_look())
        _work()
        told.append(_look())
        remove_expired()
        for _ in range(2):  # again, and nothing more
            _work()
        told.append(_look())
    print(json.dumps(told))


def _work() -> None:
    do_due(utc_now())
    worker = Worker()
    drain(worker)
    worker.give_up()


def _look() -> dict[str, Any]:
    alice, bob = (find_user_by_handle(handle) for handle in ("alice", "bob"))
    pages = {path: Client(headers={"host": "localhost"}).get(path) for path in PATHS}
    assert {page.status_code for page in pages.values()} == {200}, pages
    return {
        "on": [path for path, page in pages.items() if "It ends" in page.content.decode()],
        "at home": any("It ends" in card.html for card in get_timeline(Viewer(bob)).items),
        "posts": get_user_info(alice).posts,
        "places of files": len(list(list_places(alice))),
        "broken": broken_invariants(),
    }
