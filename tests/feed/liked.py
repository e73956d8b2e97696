"""People who have been here for a month, and posts of theirs that others like, as Explore ranks them."""

import os
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import UserCount, UserInfo, UserSettings
from accounts.people.viewer import Viewer
from accounts.sessions import today
from feed.explore.reads import forget_explored, liked_in
from feed.explore.writes import rank_liked_today
from feed.posts.models import LikeCount, Post
from socialsite.table import change, ids, keys, write_batch
from tests.feed.timelines import fill_local
from tests.web.html import Html

A_MONTH = timedelta(days=30)


def elder(handle: str, *, here: timedelta = A_MONTH, **info: str) -> Viewer:
    """Someone who signed up so long ago."""
    user_id = ids.id_at(datetime.now(UTC) - here, os.urandom(10))
    who = UserInfo.new(user_id=user_id, handle=handle, name=handle)
    for name, value in info.items():
        setattr(who, name, value)
    settings = UserSettings.new(user_id=user_id, seen=today())
    write_batch(puts=[who, UserCount.new(user_id=user_id), settings])
    return Viewer(user_id)


def liked_post(
    author: Viewer,
    *,
    likes: int = 1,
    reposts: int = 0,
    replies: int = 0,
    hours: float = 1,
    **said: Any,
) -> str:
    """A public post of so many hours ago with these counts, as the worker would have counted."""
    moment = datetime.now(UTC) - timedelta(hours=hours)
    (post_id,) = fill_local(author.user_id, [moment])
    counts = [
        LikeCount.likes.set(likes),
        LikeCount.reposts.set(reposts),
        LikeCount.replies.set(replies),
    ]
    change(LikeCount, keys.like_count(post_id), counts)
    if said:
        attributes = Post.get_attributes()
        edits = [attributes[name].set(value) for name, value in said.items()]
        change(Post, keys.post(author.user_id, post_id), edits)
    return post_id


def ranked(*languages: str) -> list[str]:
    """The posts that the clock lists when it makes the lists now, best first."""
    rank_liked_today()
    return [one.post_id for one in liked_in(languages)]


def on_explore(browser: Any, address: str = "/explore", **headers: str) -> list[str]:
    """The posts on the page, which reads the lists anew."""
    forget_explored()
    return Html(browser.get(address, headers=headers)).post_ids()
