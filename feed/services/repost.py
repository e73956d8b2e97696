"""Reposting: a pointer among the own posts, a line in the post's list, and a trace. The stream worker counts it, and
brings it to followers."""

from accounts.viewer import Viewer
from feed.models import LikeTrace, Repost, Reposter
from feed.pointers import Pointer
from feed.traces import read_trace
from socialsite.table import ids, keys
from socialsite.table.actions import Change, Create, Delete, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


@access_pattern
def repost(*, by: Viewer, post: Pointer) -> None:
    """Reposts a post. Safe to repeat. The caller has checked that the viewer may see the post, and that it is for
    everyone.

    One consistent GetItem of the trace, 1 read unit, then one TransactWriteItems puts Repost and Reposter and writes
    the trace, 6 write units. It leaves the post itself alone: readers see a repost only while the post is for everyone.
    Later the stream worker counts it (`count_repost`) and fans it out (`fan_out_repost`). Raises `Frozen`.
    """
    by.must_have_voice()

    def attempt() -> None:
        trace = read_trace(by, post.post_id)
        if trace and trace.repost_id:
            return
        repost_id = ids.new_id()
        where = {"post_id": post.post_id, "author_id": post.author_id, "user_id": by.user_id}
        transact(
            Create(_repost_of(post, repost_id, by.user_id), otherwise=Moved),
            Create(Reposter.new(**where, repost_id=repost_id), otherwise=Moved),
            _with_repost(trace, LikeTrace.new(**where, liked=False, repost_id=repost_id)),
        )

    write_as_read(attempt)


@access_pattern
def take_repost_back(*, by: Viewer, post_id: str) -> None:
    """Takes a repost back. Safe to repeat.

    One consistent GetItem of the trace, 1 read unit, then one TransactWriteItems of two deletes and the trace, 6 write
    units. Timelines that point at the repost show nothing from then on, and their entries expire.
    """

    def attempt() -> None:
        trace = read_trace(by, post_id)
        if trace is None or not trace.repost_id:
            return
        transact(*taking_back(trace))

    write_as_read(attempt)


def taking_back(trace: LikeTrace) -> list[WriteAction]:
    """Returns what takes a repost back, 3 actions, on condition that it is the one that the trace names."""
    return [
        Delete(keys.post(trace.user_id, str(trace.repost_id)), otherwise=Moved),
        Delete(keys.reposter(trace.post_id, trace.user_id), otherwise=Moved),
        _without_repost(trace),
    ]


def _repost_of(post: Pointer, repost_id: str, user_id: str) -> Repost:
    return Repost.new(
        repost_id=repost_id,
        user_id=user_id,
        repost_of=post.post_id,
        repost_of_author_id=post.author_id,
        root_id=post.root_id,
        root_author_id=post.root_author_id,
        reply_to_author_id=post.reply_to_author_id,
    )


def _with_repost(trace: LikeTrace | None, fresh: LikeTrace) -> WriteAction:
    if trace is None:
        return Create(fresh, otherwise=Moved)
    noted = [LikeTrace.repost_id.set(fresh.repost_id)]
    as_read = LikeTrace.repost_id.does_not_exist()
    return Change(LikeTrace, trace.key, noted, as_read, otherwise=Moved)


def _without_repost(trace: LikeTrace) -> WriteAction:
    as_read = LikeTrace.repost_id == trace.repost_id
    if trace.choices:  # it stays for the vote
        as_read = as_read & LikeTrace.choices.exists()
        return Change(
            LikeTrace, trace.key, [LikeTrace.repost_id.remove()], as_read, otherwise=Moved
        )
    as_read = as_read & LikeTrace.choices.does_not_exist()
    if trace.not_liked:
        return Delete(trace.key, as_read & LikeTrace.not_liked.exists(), otherwise=Moved)
    as_read = as_read & LikeTrace.not_liked.does_not_exist()
    return Change(LikeTrace, trace.key, [LikeTrace.repost_id.remove()], as_read, otherwise=Moved)
