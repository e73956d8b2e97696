"""Reposting: a pointer among the own posts, a line in the post's list, and a trace. The stream worker counts it, and
brings it to followers. Quoting: a post that carries another one as a card; and taking a quote of the own post back."""

from collections.abc import Iterator, Sequence

from accounts.people.viewer import Viewer
from feed.cards.reads import read_trace
from feed.polls.models import PollWish
from feed.posts.models import LikeTrace, Post, Quoted, Replies, Repost, Reposter
from feed.posts.reads import Pointer
from feed.posts.writes import is_there
from feed.publishing.models import QuoteRefusal
from feed.publishing.writes import publish_post
from relations.relation import Blocked, no_block
from socialsite.table import (
    Change,
    Check,
    Create,
    Delete,
    Moved,
    NotFound,
    Put,
    TableError,
    WriteAction,
    access_pattern,
    get,
    ids,
    keys,
    transact,
    write_optimistically,
)


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

    write_optimistically(attempt)


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

    write_optimistically(attempt)


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


WITHDRAWN = "yes"


class CannotQuote(TableError):
    """The post takes no quote of this person, or is not for everyone any more."""

    status = 403


@access_pattern
def quote(
    *,
    by: Viewer,
    post: Pointer,
    content: str,
    nonce: str,
    replies: str = Replies.EVERYONE,
    warning: str = "",
    lang: str = "",
    poll: PollWish | None = None,
    photos: Sequence[str] = (),
) -> str:
    """Publishes a post that quotes another, and returns its id. It is for everyone, as it is listed at the quoted post
    and told to its author. Sending the same form (`nonce`) again with the same text, poll and photos returns the first
    id. The caller has checked that the viewer may see the quoted post.

    Raises `CannotQuote`, `SubmittedAndDeleted`, `Frozen`, `RefusedByRules`, `TooLarge`, `CannotAttach`.

    What `publish_post` reads and writes, for a poll and photos too, and 8 write units more: the Quote, with checks that
    the quoted post is for everyone, may be quoted, that neither blocks the other, and that its author did not take an
    earlier quote back. In all 18 write units without poll and photos. Later the stream worker counts it
    (`count_quote`).
    """
    try:
        return publish_post(
            by=by,
            content=content,
            nonce=nonce,
            replies=replies,
            warning=warning,
            lang=lang,
            poll=poll,
            photos=photos,
            quoted=Quoted(post.post_id, post.author_id),
            also=[*_conditions(by, post)],
        )
    except Blocked as error:
        raise CannotQuote("a block") from error


def _conditions(by: Viewer, post: Pointer) -> Iterator[WriteAction]:
    open_to_all = (
        is_there()
        & Post.audience.does_not_exist()
        & Post.withheld.does_not_exist()
        & Post.unquotable.does_not_exist()
    )
    key = keys.post(post.author_id, post.post_id)
    if by.user_id == post.author_id:
        yield Check(key, is_there() & Post.audience.does_not_exist(), CannotQuote)
        return
    yield Check(key, open_to_all, CannotQuote)
    yield no_block(by.user_id, post.author_id)
    refusal = keys.quote_refusal(post.author_id, post.post_id, by.user_id)
    yield Check(refusal, QuoteRefusal.pk.does_not_exist(), CannotQuote)


@access_pattern
def withdraw_quote(*, by: Viewer, quoting: Pointer) -> None:
    """Takes the own post out of a post that quotes it, for good: that person cannot quote it again. Safe to repeat.
    Raises `NotFound` if the post does not quote one of the person's own.

    One consistent GetItem, 1 read unit, then one TransactWriteItems changes the quoting Post and puts a QuoteRefusal, 4
    write units. The card is gone at the next read, and the stream worker counts.
    """
    key = keys.post(quoting.author_id, quoting.post_id)

    def attempt() -> None:
        post = get(Post, key, consistent=True)
        if post.quote_of_author_id != by.user_id or quoting.author_id == by.user_id:
            raise NotFound("quotes no post of theirs")
        if post.quote_withdrawn:
            return
        refusal = QuoteRefusal.new(
            user_id=by.user_id, post_id=str(post.quote_of), other_id=quoting.author_id
        )
        taken_back = [Post.quote_withdrawn.set(WITHDRAWN)]
        as_read = Post.quote_of == post.quote_of
        transact(Change(Post, key, taken_back, as_read, otherwise=Moved), Put(refusal))

    write_optimistically(attempt)
