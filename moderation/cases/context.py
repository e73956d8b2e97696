"""Reads what reported replies answer: the first post of the thread, and the posts right above the reply."""

from collections.abc import Collection, Iterator, Sequence

from feed.models import Audience, Post, Reply
from feed.threads.places import places_above
from feed.visibility import audience_of
from moderation.cases.pages.cards import Found, person_of
from moderation.cases.pages.context_cards import Context, ContextPost
from socialsite.table import keys
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row

MOST_REPLIES = 10  # of a case, whose context is shown


def read_contexts(
    posts: Sequence[RawItem], found: Found, *, revealed: Collection[str]
) -> dict[str, Context]:
    """Returns by the id of each reply what it answers, for the first ten replies among raw `CaseEvidence` and `Post`
    items. `found` has the posts as they are now. Texts of threads that are not for everyone show only if `revealed`.

    Two BatchGetItems, of at most 7 and 4 keys a reply; none without replies.
    """
    replies = dict(_replies(posts, found))
    replies = {post_id: replies[post_id] for post_id in list(replies)[:MOST_REPLIES]}
    if not replies:
        return {}
    items = fetch(key for reply in replies.values() for key in _keys(reply))
    authors = {row(Reply, raw).author_id for raw in items.values()}
    people = {keys.user_info(author_id) for author_id in authors if author_id} - items.keys()
    items |= fetch(sorted(people))
    return {post_id: _context(reply, items, revealed) for post_id, reply in replies.items()}


def _replies(posts: Sequence[RawItem], found: Found) -> Iterator[tuple[str, Post]]:
    for raw in posts:
        kept = row(Post, raw)
        now = found.get(keys.post(kept.author_id, kept.post_id), raw)
        # Evidence of before lacks the place of the reply, which the post of now has.
        reply = kept if kept.root_id else row(Post, now)
        if reply.root_id:
            yield kept.post_id, reply


def _keys(reply: Post) -> list[Key]:
    root_id, root_author_id = str(reply.root_id), str(reply.root_author_id)
    return [
        keys.post(root_author_id, root_id),
        keys.thread_gate(root_id),
        keys.user_info(root_author_id),
        *_above(reply),
    ]


def _above(reply: Post) -> list[Key]:
    """Returns the places at which the nearest posts above can be: of a part of a story the part before it."""
    path, root_id = str(reply.path), str(reply.root_id)
    if keys.is_of_story(path):
        paths = [] if reply.reply_to == root_id else [keys.path_of_part(str(reply.reply_to))]
    else:
        paths = places_above(path)
    return [keys.reply_place(root_id, one) for one in paths]


def _context(reply: Post, items: Found, revealed: Collection[str]) -> Context:
    root_id, root_author_id = str(reply.root_id), str(reply.root_author_id)
    root = items.get(keys.post(root_author_id, root_id))
    head, author = root or items.get(keys.thread_gate(root_id)), person_of(root_author_id, items)
    is_private = not (head and author) or audience_of(head, author) != Audience.EVERYONE

    def card(raw: RawItem) -> ContextPost:
        author = person_of(row(Post, raw).author_id, items)
        return ContextPost.from_raw(raw, author, is_private=is_private, revealed=revealed)

    above = [items[key] for key in _above(reply) if key in items]
    uppermost = row(Reply, above[0]).reply_to if above else reply.reply_to
    return Context(
        root=card(root) if root else None,
        above=[card(raw) for raw in above],
        left_out=uppermost != root_id,
    )
