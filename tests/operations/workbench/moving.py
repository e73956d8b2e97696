"""A site that moves by `workbench export` and `import`: what is done on the old one, and on the new one."""

import json

from django.test import Client

from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.people.viewer import Viewer
from accounts.profile.writes import edit_profile
from feed.home.reads import get_timeline
from feed.likes.writes import like_post
from feed.polls.models import PollWish
from feed.posts.models import LikeCount
from feed.posts.reads import Pointer
from feed.profiles.reads import list_posts
from feed.publishing.writes import publish_post
from feed.threads.writes import reply
from relations.directory import search_people
from relations.filters import Filters
from relations.follows.writes import follow
from relations.models import RelationType
from relations.reads import list_relations
from socialsite.due.clock import beat_of_clock
from socialsite.streams.models import Job
from socialsite.streams.worker import Worker
from socialsite.table import get, keys
from socialsite.table.reading import scan
from tests.conftest import person
from tests.feed.scenes import photo, schedule
from tests.looks import broken_invariants, drain
from tests.relations.scenes import befriend


def live() -> None:
    """People use the old site, and its worker stops in the middle of a job."""
    alice, bob, carol = (person(handle) for handle in ("alice", "bob", "carol"))
    follow(by=bob, user_id=alice.user_id)
    befriend(alice, bob)
    post_id = publish_post(
        by=alice, content="Moving #house", nonce="1", poll=PollWish(("Tea", "Coffee"))
    )
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    reply(by=carol, to=Pointer(post_id, alice.user_id), content="When?", nonce="2")
    schedule(alice, content="Later", photos=[photo(alice)])
    _work()
    edit_profile(by=bob, name="Bob", bio="", location="Leipzig")
    worker = Worker()
    worker.step()
    worker.step()  # it has the lease, and the job is entered
    assert any(raw["type"]["S"] == Job.__name__ for raw in scan())


def use() -> None:
    """Prints what the new site does with what came, and with what people do there."""
    broken = broken_invariants()
    worker = Worker()
    drain(worker)
    alice, bob = (_viewer(handle) for handle in ("alice", "bob"))
    place = list_relations(alice, RelationType.FRIEND, filters=Filters(location="Leipzig"))
    (post,) = list_posts(alice.card, viewer=bob).items
    dora = person("dora", "Dora Moves")
    like_post(by=dora, post_id=post.post_id, author_id=alice.user_id)
    follow(by=dora, user_id=bob.user_id)
    publish_post(by=bob, content="Welcome", nonce="3")
    drain(worker)
    beat_of_clock(0)  # its clock is at work, too
    for reader in worker.readers.values():
        reader.lease.beaten_at = 0
        reader.lease.keep()
    told = {
        "broken": broken,
        "jobs done": [card.person.handle for card in place.items],
        "likes": int(get(LikeCount, keys.like_count(post.post_id)).likes),
        "followers": get_user_info(bob.user_id).followers,
        "found": [found.handle for found in search_people("dora").items],
        "at home": "Welcome" in "".join(card.html for card in get_timeline(dora).items),
        "ready": Client(headers={"host": "localhost"}).get("/readyz").json()["status"],
        "broken then": broken_invariants(),
    }
    worker.give_up()
    print(json.dumps(told))


def _work() -> None:
    worker = Worker()
    drain(worker)
    worker.give_up()


def _viewer(handle: str) -> Viewer:
    user_id = find_user_by_handle(handle)
    return Viewer(user_id, "", get_user_info(user_id))
