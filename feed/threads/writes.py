"""Replying: a post with its place in a thread. Choosing who can reply, hiding replies in the own threads (they are set
aside, behind the others), and leaving a conversation, of which nobody else learns.

Replies are given the audience of their thread, as they are counted and listed by. Who can see a reply is asked of its
root at each read. Its own `audience` decides what was worked out before: how its author's posts are counted, and, for
the parts of a story, into which timelines and under which tags they come.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from django.utils.translation import gettext as _
from pynamodb.expressions.condition import Condition

from accounts.people.reads import find_mentioned
from accounts.people.viewer import Viewer
from feed.likes.reads import SHARDS
from feed.posts.content_checks import judge_post
from feed.posts.models import Answer, Audience, LeftThread, Post, Replies, Reply
from feed.posts.reads import Pointer, sight_keys, sight_of
from feed.posts.writes import PostCount, has_audience, place_of
from feed.publishing.photos import CannotAttach, give_photos, read_photos, told_which
from feed.publishing.writes import once_for, submitted_or_refused, write_post
from feed.threads.reads import CannotReply, NoLongerAllowed, must_be_allowed, why_closed
from relations.relation import Blocked, no_block
from socialsite.table import (
    Change,
    Check,
    Create,
    Key,
    Moved,
    NotFound,
    RawItem,
    WriteAction,
    access_pattern,
    as_model,
    change,
    fetch,
    get,
    ids,
    keys,
    row,
    transact,
    write_batch,
    write_optimistically,
)


@access_pattern
def reply(
    *,
    by: Viewer,
    to: Pointer,
    content: str,
    nonce: str,
    warning: str = "",
    lang: str = "",
    photos: Sequence[str] = (),
) -> str:
    """Answers a post and returns the id of the reply. Sending the same form (`nonce`) again with the same text and
    photos returns the first id. The caller has checked that the viewer may see the post. `photos` are the ids of at
    most four own photos, which no other post shows.

    Raises `CannotReply` with a sentence if the thread takes no reply of this person, `NotFound` if the post is gone,
    `SubmittedAndDeleted`, `Frozen`, `RefusedByRules`, `TooLarge`, `CannotAttach`.

    Two consistent BatchGetItems of the post answered, the root of its thread, and what the viewer is to the root's
    author; one of the people whom the text mentions. Then one TransactWriteItems puts Post, LikeCount (0), its place in
    the thread, own TimelineEntry and Submission, adds to the post count, and checks the root, the place of the post
    answered, blocks towards both authors, and the relationship that the thread asks for: 20 write units, less where
    these are the same. In all at most 20 write units; 2 more and 1 read unit for each photo, and 2 for any. Later the
    stream worker counts the reply (`count_reply`) and brings it to the timelines of those who follow both
    (`fan_out_reply`). For photos as in `publish_post`; the stream worker shows them to visitors.
    """
    by.must_have_voice()
    once = once_for(nonce, content, to.post_id, *filter(None, [warning, *photos]))

    def attempt() -> str:
        answered, root = _read(by, to)
        own = read_photos(by, photos)
        said = [photo.alt or "" for photo in own]
        # Judged whatever the thread's audience is: its author can choose a wider one later.
        verdict = judge_post(
            by=by, content=content, warning=warning, audience=Audience.EVERYONE, others=said
        )
        post_id = ids.new_id()
        post = Post.new(
            post_id=post_id,
            author_id=by.user_id,
            content=content,
            mentions=find_mentioned(content),
            like_shards=SHARDS if by.is_widely_followed else None,
            audience=row(Post, root).audience,
            circle=row(Post, root).circle,
            withheld=verdict.withheld,
            flagged=verdict.flagged,
            warning=warning,
            lang=lang,
            answer=_answer(by, post_id, row(Post, answered), row(Post, root)),
        )
        with told_which(photos):
            given = give_photos(by, post, own, shown_later=True)
            also = [Create(Reply.new(post)), *_conditions(by, answered, root), *given]
            return write_post(by, post, once=once, verdict=verdict, also=also)

    try:
        return write_optimistically(attempt, moved=NoLongerAllowed)
    except Blocked as error:
        raise CannotReply(_("You can’t reply to this post.")) from error
    except CannotAttach as refusal:  # a photo is gone, maybe with the reply that the same form made
        return submitted_or_refused(by, once, refusal)


def _read(by: Viewer, to: Pointer) -> tuple[RawItem, RawItem]:
    """Returns the post answered and the root of its thread. Raises `NotFound`, `CannotReply`."""
    answered_key = keys.post(to.author_id, to.post_id)
    found = fetch([answered_key, *sight_keys(by, [to.author_id])], consistent=True)
    answered = found.get(answered_key)
    if answered is None:
        raise NotFound("the post is gone")
    root: RawItem | None = answered
    post = row(Post, answered)
    root_author_id = to.author_id
    if post.root_id:
        root_author_id = post.root_author_id or ""
        root_key = keys.post(root_author_id, post.root_id)
        found |= fetch([root_key, *sight_keys(by, [root_author_id])], consistent=True)
        root = found.get(root_key)
    sight = sight_of(by, root_author_id, found)
    if sentence := why_closed(by, root, sight) or _why_withheld(answered, root):
        raise CannotReply(sentence)
    assert root is not None
    return answered, root


def _answer(by: Viewer, post_id: str, answered: Post, root: Post) -> Answer:
    """Returns what the reply answers, and its path: the root's author goes on with their story where nobody else has
    spoken."""
    is_part = by.user_id == root.author_id and keys.is_of_story(answered.path or "")
    path = keys.path_of_part(post_id) if is_part else keys.path_of_answer(answered.path, post_id)
    return Answer(root.post_id, root.author_id, answered.post_id, answered.author_id, path)


def _conditions(by: Viewer, answered: RawItem, root: RawItem) -> Iterator[WriteAction]:
    yield from must_be_allowed(by, root)
    if place := place_of(row(Post, answered)):
        still_there = Reply.gone.does_not_exist() & Reply.withheld.does_not_exist()
        yield Check(place, Reply.pk.exists() & still_there, NoLongerAllowed)
    authors = {row(Post, answered).author_id, row(Post, root).author_id}
    for author_id in sorted(authors - {by.user_id}):
        yield no_block(by.user_id, author_id)


def _why_withheld(answered: RawItem, root: RawItem | None) -> str:
    withheld = row(Post, answered).withheld or (root and row(Post, root).withheld)
    return _("This post waits for a moderator, so it takes no replies.") if withheld else ""


UNQUOTABLE = "yes"


@access_pattern
def choose_replies(*, by: Viewer, post_id: str, replies: str, quotable: bool = True) -> None:
    """Sets who can reply from now on, and whether others can quote the post; safe to repeat. What was answered or
    quoted before stays. Raises `NotFound` if the post is gone, is not the person's own, or is itself a reply: the rule
    of a thread is that of its first post.

    One UpdateItem, 1 write unit. A reply on its way holds the rule that its author saw, and is refused.
    """
    chosen = Post.replies.remove() if replies == Replies.EVERYONE else Post.replies.set(replies)
    unquotable = Post.unquotable.remove() if quotable else Post.unquotable.set(UNQUOTABLE)
    key = keys.post(by.user_id, post_id)
    change(Post, key, [chosen, unquotable], condition=Post.root_id.does_not_exist())


SET_ASIDE = "yes"


@access_pattern
def set_reply_aside(*, by: Viewer, reply: Pointer, on: bool) -> str:
    """Sets a reply aside, with the answers below it, or takes that back, and returns the id of the thread. Safe to
    repeat. Raises `NotFound` unless it is a reply of another person in a thread of the person's own.

    One GetItem, 0.5 read units, and one UpdateItem of its place, 2 write units. The reply itself stays as it is.
    """
    post = get(Post, keys.post(reply.author_id, reply.post_id))
    place = place_of(post)
    if place is None or post.root_author_id != by.user_id or post.author_id == by.user_id:
        raise NotFound("no reply in a thread of theirs")
    aside = Reply.set_aside.set(SET_ASIDE) if on else Reply.set_aside.remove()
    change(Reply, place, [aside])
    return str(post.root_id)


@access_pattern
def leave_thread(*, by: Viewer, root_id: str) -> None:
    """Is no longer told of what happens in a thread. Safe to repeat. BatchWriteItem, 1 write unit."""
    write_batch(puts=[LeftThread.new(user_id=by.user_id, root_id=root_id)])


@access_pattern
def rejoin_thread(*, by: Viewer, root_id: str) -> None:
    """Is told again of what happens in a thread, from now on. Safe to repeat. BatchWriteItem, 1 write unit."""
    write_batch(deletes=[keys.left_thread(by.user_id, root_id)])


@access_pattern
def rejoin_thread_of(*, by: Viewer, post: Pointer) -> None:
    """Is told again of the thread of a post that the person may not see any more. Does nothing if it is gone.
    BatchGetItem, 0.5 read units, and BatchWriteItem, 1 write unit."""
    for raw in fetch([keys.post(post.author_id, post.post_id)]).values():
        rejoin_thread(by=by, root_id=row(Post, raw).root_id or post.post_id)


AT_ONCE = 20  # replies in one transaction, each with the count of its author


def bring_in_line(root: Pointer, replies: Sequence[Key]) -> None:
    """Gives these replies the audience that the root of their thread has now, or had when it was deleted, and counts
    them accordingly. Safe to repeat, and at the same time as any other change of these posts.

    For each 20 replies one consistent BatchGetItem, 1 read unit each, and if some differ one TransactWriteItems: 2
    write units a reply, 2 more for its author's count, 2 for the check of the root.
    """
    for start in range(0, len(replies), AT_ONCE):
        write_optimistically(partial(_bring, root, replies[start : start + AT_ONCE]))


def _bring(root: Pointer, replies: Sequence[Key]) -> None:
    heads = [keys.post(root.author_id, root.post_id), keys.thread_gate(root.post_id)]
    found = fetch([*heads, *replies], consistent=True)
    head = next((key for key in heads if key in found), None)
    if head is None:  # the thread is gone, with all its replies
        return
    thread = row(Post, found[head])
    audience, circle = thread.audience, thread.circle
    posts = [as_model(Post, found[key]) for key in replies if key in found]
    differing = [
        one for one in posts if (one.audience or "", one.circle or "") != (audience, circle)
    ]
    if not differing:
        return
    actions = [
        Post.audience.set(audience) if audience else Post.audience.remove(),
        Post.circle.set(circle) if circle else Post.circle.remove(),
    ]
    counts = {post.author_id: PostCount(post.author_id) for post in differing}
    for post in differing:
        counts[post.author_id].take(post)
        counts[post.author_id].add(post, audience=audience, withheld=post.withheld or "")
    transact(
        Check(head, Post.pk.exists() & has_audience(thread), Moved),
        *(Change(Post, post.key, actions, _as_read(post), Moved) for post in differing),
        *(write for count in counts.values() for write in count.writes()),
    )


def _as_read(post: Post) -> Condition:
    withheld = Post.withheld
    still = withheld == post.withheld if post.withheld else withheld.does_not_exist()
    return still & has_audience(post)
