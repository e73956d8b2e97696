"""Bob with a case of each kind, to which something can be done."""

from dataclasses import dataclass

from accounts.people.viewer import Viewer
from feed.posts.models import Post
from moderation.cases.decisions import OF_KIND
from moderation.cases.reads import CaseId
from moderation.models import CaseKind
from socialsite.table import get, keys
from tests.conftest import post
from tests.moderation.cases import (
    about,
    about_post,
    held_post,
    info,
    post_count,
    report,
    waiting_sign_up,
)

BOB = "Bob Brandt"
EACH = [(kind, action) for kind, possible in OF_KIND.items() for action in possible]


@dataclass
class Scene:
    """Bob, a case about him, and what an action about it can be done to."""

    bob: Viewer
    case_id: CaseId
    posts: tuple[str, ...] = ()

    def state(self) -> dict[str, object]:
        """What stands on Bob and his posts, but for what is as usual."""
        who = info(self.bob)
        post_of = {
            post_id: get(Post, keys.post(self.bob.user_id, post_id), consistent=True)
            for post_id in self.posts
        }
        found = {
            "limited": who.limited_until,
            "frozen": who.frozen_until,
            "suspended": who.suspended_until,
            "waiting": who.waiting,
            "withheld": [one.withheld for one in post_of.values() if one.withheld],
            "sensitive": [one.sensitive for one in post_of.values() if one.sensitive],
            "posts counted": post_count(self.bob),
            "name": "" if who.name == BOB else who.name,
        }
        return {name: value for name, value in found.items() if value}


def scene_of(kind: CaseKind, reporter: Viewer, bob: Viewer) -> Scene:
    match kind:
        case CaseKind.PERSON:
            posts = post(bob, "one"), post(bob, "two")
            report(reporter, bob, posts[0], rule_id="spam")
            return Scene(bob, about(bob), posts)
        case CaseKind.POST:
            post_id = held_post(bob)
            return Scene(bob, about_post(post_id), (post_id,))
    return Scene(bob, waiting_sign_up(bob))
