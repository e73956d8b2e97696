"""Deeds of a load, done through the services."""

from dataclasses import dataclass

from accounts.people.reads import HandleTaken, find_user_by_handle
from accounts.people.viewer import Viewer
from accounts.sign_up.writes import sign_up
from feed.likes.writes import like_post, unlike_post
from feed.publishing.writes import delete_post, publish_post
from moderation.reports.writes import file_report
from relations.blocks.writes import block, unblock
from relations.follows.writes import follow, unfollow
from relations.friends import writes
from socialsite.table import Conflict, Unavailable
from tests.faults.over_http import TryAgain
from tests.faults.world import Deed, World


@dataclass
class Services:
    world: World

    def do(self, deed: Deed) -> str:
        """Does it and returns the id of what was made; raises `TryAgain`."""
        try:
            return self._do(deed["kind"], deed["who"], deed.get("what", ""))
        except (Unavailable, Conflict) as error:
            raise TryAgain from error

    def _do(self, kind: str, who: str, what: str) -> str:
        by = Viewer(who)
        match kind:
            case "sign up":
                return _sign_up(who)
            case "post":
                return publish_post(by=by, content=f"I am {what}", nonce=what)
            case "delete":
                delete_post(by=by, post_id=what)
            case "follow":
                follow(by=by, user_id=what)
            case "unfollow":
                unfollow(by=by, user_id=what)
            case "like":
                like_post(by=by, post_id=what, author_id=self.world.author_of(what))
            case "unlike":
                unlike_post(by=by, post_id=what)
            case "ask":
                writes.request_friend(by=by, user_id=what)
            case "unfriend":
                writes.end_friendship(by=by, user_id=what)
                writes.withdraw_friend_request(by=by, user_id=what)
            case "block":
                block(by=by, user_id=what)
            case "unblock":
                unblock(by=by, user_id=what)
            case "report":
                author = self.world.author_of(what)
                file_report(
                    by=by, person_id=author, post_id=what, rule_id="", severity=1, comment="See!"
                )
        return ""


def _sign_up(handle: str) -> str:
    try:
        return sign_up(
            handle=handle,
            name=handle,
            email=f"{handle}@example.org",
            confirmed=True,
            password="correct horse battery",
        )
    except HandleTaken:  # by the try before, whose answer was lost
        return find_user_by_handle(handle)
