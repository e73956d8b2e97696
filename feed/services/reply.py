"""Replying: a post with its place in a thread."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from accounts.mentions import find_mentioned
from accounts.viewer import Viewer
from feed.like_shards import SHARDS
from feed.models import Answer, Audience, Post, Reply
from feed.photos.attaching import CannotAttach, give_photos, read_photos, told_which
from feed.pointers import Pointer
from feed.services.publish_post import once_for, submitted_or_refused, write_post
from feed.threads.copies import place_of
from feed.threads.policy import CannotReply, NoLongerAllowed, must_be_allowed, why_closed
from feed.verdicts import judge_post
from feed.visibility import sight_keys, sight_of
from relations.relation import Blocked, no_block
from socialsite.table import ids, keys
from socialsite.table.actions import Check, Create, WriteAction
from socialsite.table.as_read import write_as_read
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row


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
    these are the same. Later the stream worker counts the reply (`count_reply`) and brings it to the timelines of those
    who follow both (`fan_out_reply`). For photos as in `publish_post`; the stream worker shows them to visitors.
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
        return write_as_read(attempt, moved=NoLongerAllowed)
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
