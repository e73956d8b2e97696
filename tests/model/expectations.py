"""Doing something on the real site under an armed fault, until it is known whether it was done."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from accounts.models import UserSettings
from accounts.people.viewer import Viewer
from feed.home.reads import get_timeline
from feed.timelines.big_authors import ask_to_merge, get_news
from socialsite.table import Conflict, Unavailable, get, keys

T = TypeVar("T")

TRIES = 5


def insist(action: Callable[[], T]) -> T:
    """As a person does at a 503: the same again. Every write may be repeated, so that afterwards it happened once."""
    for _ in range(TRIES):
        try:
            return action()
        except (Conflict, Unavailable):
            continue
    return action()


# The site in a few dictionaries: what the machine compares the real one with.
#
# Where two answers are right, the model says so: between a write and the end of the stream's work nothing is
# compared, and of a follow's backfill only the newest posts are certain. An older post of someone followed *may*
# be in the timeline (it may have come before, or the author is pulled); a post of someone not followed never is.


@dataclass
class Account:
    handle: str
    user_id: str
    following: set[str] = field(default_factory=set)  # user ids
    posts: list[str] = field(default_factory=list)  # oldest first
    walked: list[str] = field(default_factory=list)  # posts and reposts, as a backfill walks them
    expected: set[str] = field(default_factory=set)  # posts that must be in the timeline
    allowed: set[str] = field(default_factory=set)  # posts that may be in it


@dataclass
class Model:
    backfill: int
    accounts: dict[str, Account] = field(default_factory=dict)  # by user id
    author_of: dict[str, str] = field(default_factory=dict)
    ending: set[str] = field(default_factory=set)  # posts that end by themselves
    likes: dict[str, set[str]] = field(default_factory=dict)
    reposts: dict[str, set[str]] = field(default_factory=dict)  # user ids, by post
    nonces: dict[tuple[str, str], str] = field(
        default_factory=dict
    )  # of posts, by author and nonce

    def sign_up(self, handle: str, user_id: str) -> None:
        self.accounts[user_id] = Account(handle, user_id)

    def follow(self, follower_id: str, followed_id: str) -> None:
        follower, followed = self.accounts[follower_id], self.accounts[followed_id]
        if followed_id in follower.following:
            return
        follower.following.add(followed_id)
        # A crossing or pulled author's whole history may show; the newest are certain, as far as none is deleted.
        follower.expected |= set(followed.walked[-self.backfill :]) & set(followed.posts)
        follower.allowed |= set(followed.posts)

    def unfollow(self, follower_id: str, followed_id: str) -> None:
        follower, followed = self.accounts[follower_id], self.accounts[followed_id]
        follower.following.discard(followed_id)
        follower.expected -= set(followed.posts)
        follower.allowed -= set(followed.posts)

    def publish(self, author_id: str, nonce: str, post_id: str) -> None:
        self.nonces[author_id, nonce] = post_id
        self.author_of[post_id] = author_id
        self.likes[post_id] = set()
        self.reposts[post_id] = set()
        self.accounts[author_id].posts.append(post_id)
        self.accounts[author_id].walked.append(post_id)
        for account in self.accounts.values():
            if author_id == account.user_id or author_id in account.following:
                account.expected.add(post_id)
                account.allowed.add(post_id)

    def delete(self, post_id: str) -> None:
        author = self.accounts[self.author_of.pop(post_id)]
        author.posts.remove(post_id)
        author.walked.remove(post_id)
        for user_id in self.reposts.pop(post_id):
            self.accounts[user_id].walked.remove(_repost_of(post_id))
        del self.likes[post_id]
        for account in self.accounts.values():
            account.expected.discard(post_id)
            account.allowed.discard(post_id)

    def like(self, user_id: str, post_id: str) -> None:
        self.likes[post_id].add(user_id)

    def unlike(self, user_id: str, post_id: str) -> None:
        self.likes[post_id].discard(user_id)

    def repost(self, user_id: str, post_id: str) -> None:
        if user_id not in self.reposts[post_id]:
            self.reposts[post_id].add(user_id)
            self.accounts[user_id].walked.append(_repost_of(post_id))

    def take_repost_back(self, user_id: str, post_id: str) -> None:
        if user_id in self.reposts.get(post_id, ()):
            self.reposts[post_id].remove(user_id)
            self.accounts[user_id].walked.remove(_repost_of(post_id))

    def brought(self, user_id: str) -> set[str]:
        """The posts that reposts may bring into a person's timeline."""
        following = self.accounts[user_id].following
        return {post_id for post_id, people in self.reposts.items() if people & following}

    def followers(self, user_id: str) -> set[str]:
        return {one.user_id for one in self.accounts.values() if user_id in one.following}


def _repost_of(post_id: str) -> str:
    return f"repost of {post_id}"


# A home timeline beside the model.


def compare_timeline(model: Model, user_id: str) -> None:
    """Whether a person's home shows what the model says, page by page."""
    account = model.accounts[user_id]
    viewer = _returning(user_id)
    ask_to_merge(viewer, get_news(viewer))  # the next comparison sees what the worker made of it
    shown: list[str] = []
    reposted: list[str] = []
    cursor = None
    while True:
        page = get_timeline(viewer, cursor=cursor)
        shown += [card.post_id for card in page.items if not card.reposters]
        reposted += [card.post_id for card in page.items if card.reposters]
        cursor = page.next_cursor
        if not cursor:
            break
    assert shown == sorted(set(shown), reverse=True), "newest first, each once"
    assert account.expected <= {*shown, *reposted}, f"{account.handle} misses posts"
    assert set(shown) <= account.allowed, f"{account.handle} sees too much"
    brought = model.brought(user_id)
    assert set(reposted) <= brought, f"{account.handle} sees too many reposts"


def _returning(user_id: str) -> Viewer:
    own = get(UserSettings, keys.user_settings(user_id), consistent=True)
    return Viewer(user_id, pulled=tuple(sorted(own.pulled or ())), merged=own.merged or "")
