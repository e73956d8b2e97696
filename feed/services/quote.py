"""Quoting: a post that carries another one as a card; and taking a quote of the own post back."""

from collections.abc import Iterator, Sequence

from accounts.viewer import Viewer
from feed.expiring.moments import is_there
from feed.models import Post, Quoted, QuoteRefusal, Replies
from feed.pointers import Pointer
from feed.polls.wish import PollWish
from feed.services.publish_post import publish_post
from relations.relation import Blocked, no_block
from socialsite.table import keys
from socialsite.table.actions import Change, Check, Put, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import transact

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
    earlier quote back. Later the stream worker counts it (`count_quote`).
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

    write_as_read(attempt)
