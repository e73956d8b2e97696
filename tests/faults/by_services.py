"""Deeds of a load, done through the services."""

from dataclasses import dataclass

from accounts.access_patterns import find_user_by_handle
from accounts.services.sign_up import HandleTaken, sign_up
from accounts.viewer import Viewer
from feed.services.delete_post import delete_post
from feed.services.like_post import like_post, unlike_post
from feed.services.publish_post import publish_post
from moderation.cases.services.report import file_report
from relations.services import befriend
from relations.services.block import block, unblock
from relations.services.follow import follow, unfollow
from socialsite.table.errors import Conflict, Unavailable
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
                befriend.request_friend(by=by, user_id=what)
            case "unfriend":
                befriend.end_friendship(by=by, user_id=what)
                befriend.withdraw_friend_request(by=by, user_id=what)
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
