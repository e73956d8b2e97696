"""People, a worker that steps and dies, and faults, in any order: in the end the site is what the model says."""

from contextlib import suppress
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from accounts.models import UserInfo
from accounts.people.reads import HandleTaken, find_user_by_handle, get_user_info
from accounts.people.viewer import Viewer
from accounts.sign_up.writes import sign_up
from feed.likes.writes import like_post, unlike_post
from feed.posts.models import LikeCount
from feed.posts.reads import Pointer
from feed.publishing.writes import SubmittedAndDeleted, delete_post, publish_post
from feed.sharing.writes import repost, take_repost_back
from feed.timelines.local import list_public
from relations.follows.writes import follow, unfollow
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import fetch, get, keys
from socialsite.table.connection import client
from tests.conftest import PASSWORD
from tests.feed.scenes import end_now, let_go
from tests.injected.faults import ALL, GIVES_UP, Hook, Rounds
from tests.looks import broken_invariants, drain
from tests.model.composing import Composing
from tests.model.expectations import Model, compare_timeline, insist

BACKFILL = 5
FIRST_PEOPLE, MOST_PEOPLE = 8, 10
HANDLES = [f"person_{number}" for number in range(MOST_PEOPLE)]
NONCES = ("first", "second", "third")


class Site(Composing):
    """`new_table` is set by the test: it makes an empty table and forgets the last."""

    new_table: Any = None
    stream_client: Any = None
    steps_taken = 0

    people = Bundle("people")
    posts = Bundle("posts")
    reposts = Bundle("reposts")

    def __init__(self) -> None:
        super().__init__()
        type(self).new_table()
        self.model = Model(BACKFILL)
        self.hook = Hook()
        self.hook.listen(client())
        self.worker = self._new_worker()

    def teardown(self) -> None:
        self._compare()
        self.hook.leave([client(), self.stream_client])

    # People

    @initialize(target=people)
    def some_are_here(self) -> Any:
        """Enough that someone may become widely followed."""
        return multiple(*(self._sign_up() for _ in range(FIRST_PEOPLE)))

    @precondition(lambda self: len(self.model.accounts) < MOST_PEOPLE)
    @rule(target=people)
    def somebody_signs_up(self) -> Any:
        return self._sign_up()

    def _sign_up(self) -> str:
        handle = HANDLES[len(self.model.accounts)]

        def action() -> str:
            try:
                return sign_up(
                    handle=handle,
                    name=handle.title(),
                    email=f"{handle}@example.org",
                    password=PASSWORD,
                )
            except HandleTaken:  # by the try before, whose answer was lost
                return find_user_by_handle(handle)

        user_id = insist(action)
        self.model.sign_up(handle, user_id)
        return user_id

    @rule(one=people, other=people)
    def follow(self, one: str, other: str) -> None:
        if one != other:
            insist(lambda: follow(by=Viewer(one), user_id=other))
            self.model.follow(one, other)

    @rule(other=people)
    def everybody_follows(self, other: str) -> None:
        """The short way to someone widely followed."""
        for one in self.model.accounts:
            self.follow(one, other)

    @rule(one=people, other=people)
    def unfollow(self, one: str, other: str) -> None:
        if one != other:
            insist(lambda: unfollow(by=Viewer(one), user_id=other))
            self.model.unfollow(one, other)

    @rule(
        target=posts,
        author=people,
        nonce=st.sampled_from(NONCES),
        text=st.integers(0, 40),
        stays=st.sampled_from(("", "", "1w")),
    )
    def publish(self, author: str, nonce: str, text: int, stays: str) -> Any:
        """The same form with the same text again is the same post, unless that was deleted."""
        content = f"Number {text}"
        once = f"{nonce} {content} {stays}"
        by = Viewer(author, "", insist(lambda: get_user_info(author)))
        known = self.model.nonces.get((author, once))
        try:
            post_id = insist(
                lambda: publish_post(by=by, content=content, nonce=nonce, expires_in=stays)
            )
        except SubmittedAndDeleted:
            assert known not in self.model.author_of
            return multiple()
        if known is not None:
            assert post_id == known
            return multiple()
        self.model.publish(author, once, post_id)
        if stays:
            self.model.ending.add(post_id)
        return post_id

    @rule(post_id=consumes(posts))
    def delete(self, post_id: str) -> None:
        author = self.model.author_of[post_id]
        insist(lambda: delete_post(by=Viewer(author), post_id=post_id))
        self.model.delete(post_id)

    @rule(post_id=consumes(posts))
    def a_post_is_over(self, post_id: str) -> None:
        """Its end comes, and the table lets go of it. One that stays is deleted."""
        if post_id in self.model.ending:
            author = self.model.author_of[post_id]
            insist(lambda: end_now(author, post_id))
            insist(lambda: let_go(author, post_id))
        self.delete(post_id)  # which finds nothing of what is over

    @rule(user_id=people, post_id=posts)
    def like(self, user_id: str, post_id: str) -> None:
        author, shards = self.model.author_of[post_id], self._shards(post_id)
        by = Viewer(user_id)
        insist(lambda: like_post(by=by, post_id=post_id, author_id=author, shards=shards))
        self.model.like(user_id, post_id)

    @rule(user_id=people, post_id=posts)
    def unlike(self, user_id: str, post_id: str) -> None:
        shards = self._shards(post_id)
        insist(lambda: unlike_post(by=Viewer(user_id), post_id=post_id, shards=shards))
        self.model.unlike(user_id, post_id)

    @rule(target=reposts, user_id=people, post_id=posts)
    def repost(self, user_id: str, post_id: str) -> Any:
        where = Pointer(post_id, self.model.author_of[post_id])
        insist(lambda: repost(by=Viewer(user_id), post=where))
        self.model.repost(user_id, post_id)
        return user_id, post_id

    @rule(reposted=consumes(reposts))
    def take_repost_back(self, reposted: tuple[str, str]) -> None:
        user_id, post_id = reposted
        insist(lambda: take_repost_back(by=Viewer(user_id), post_id=post_id))
        self.model.take_repost_back(user_id, post_id)

    def _shards(self, post_id: str) -> int:
        key = keys.post(self.model.author_of[post_id], post_id)
        (raw,) = insist(lambda: fetch([key], consistent=True)).values()
        return int(raw.get("like_shards", {}).get("N", 0))

    @rule(steps=st.integers(1, 3))
    def the_worker_steps(self, steps: int) -> None:
        self.worker.run(Rounds(steps))

    @rule()
    def the_worker_dies(self) -> None:
        """Without a word, of whatever it met; the next sees that the process is gone."""
        with suppress(Exception):
            self.worker.step()
        self.worker = self._new_worker()

    @rule(fault=st.sampled_from(ALL), at=st.integers(0, 6), times=st.integers(1, GIVES_UP + 1))
    def something_goes_wrong_soon(self, fault: Any, at: int, times: int) -> None:
        self.hook.arm(fault, at=at, times=times)

    @precondition(lambda self: self.model.accounts)
    @rule()
    def all_is_as_the_model_says(self) -> None:
        self._compare()

    @invariant()
    def count_steps(self) -> None:
        type(self).steps_taken += 1

    def _new_worker(self) -> Worker:
        worker = Worker()
        host = worker.worker_id.split(":")[0]
        worker.worker_id = f"{host}:999999:{worker.worker_id[-26:]}"  # no such process: it is dead
        if type(self).stream_client is None:
            type(self).stream_client = worker.stream._client
        worker.stream.__dict__["_client"] = self.stream_client
        self.hook.listen(self.stream_client)
        return worker

    def _compare(self) -> None:
        self.hook.disarm()
        drain(self.worker)
        assert broken_invariants() == {}
        assert list_dead_letters() == []
        for post_id, fans in self.model.likes.items():
            counts = get(LikeCount, keys.like_count(post_id), consistent=True)
            assert counts.likes == len(fans)
            assert (counts.reposts or 0) == len(self.model.reposts[post_id])
        for account in self.model.accounts.values():
            card = get_user_info(account.user_id)
            followers = self.model.followers(account.user_id)
            counts = card.followers, card.following, card.posts
            assert counts == (len(followers), len(account.following), len(account.posts))
            info = get(UserInfo, keys.user_info(account.user_id), consistent=True)
            assert info.reading != "crossing", f"{account.handle} stays between both ways"
            compare_timeline(self.model, account.user_id)
        self.compare_composing()
        listed = [card.post_id for card in list_public(size=500).items]
        assert listed == sorted(self.model.author_of, reverse=True)
