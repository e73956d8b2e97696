"""Changing who can see a post, after it was published. Every read asks, so it holds for every reader at once."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from pynamodb.expressions.update import Action

from accounts.viewer import Viewer
from feed.models import Audience, Post, PostVersion, ThreadGate
from feed.models.versions import is_version
from feed.post_count import PostCount, has_audience
from feed.verdicts import NOTHING_AGAINST_IT, Verdict, judge_post, words_of
from photos.access_patterns import get_photos
from socialsite.table import keys, reading
from socialsite.table.actions import Change, Put, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.row import row
from socialsite.table.writing import transact


class CannotChangeAudience(TableError):
    """The post keeps its audience. `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@access_pattern
def change_audience(*, by: Viewer, post_id: str, audience: str, circle: str = "") -> Verdict | None:
    """Sets who can see one of the signed-in person's own posts from now on, and returns what the site's rules say of
    it, None if it has that audience already. `circle` is the id of one of the author's circles, if `audience` is a
    circle. Its thread is for the same people at once. Safe to repeat.

    A post that only its author could see is judged as a new one, with all that it said before its edits. Frozen
    people can only take a post back to themselves.

    Raises `NotFound` (also for replies: they are for those whom their thread is for), `CannotChangeAudience` with a
    sentence (a withheld post), `Frozen`, `RefusedByRules`.

    One consistent GetItem, 1 read unit; if the post is judged and was edited, a Query of what it said before. Then one
    TransactWriteItems changes the Post, on condition that it has the text and the audience that were read, 2 write
    units, and the post count if the post begins or ends to be for everyone, 2 more. If a word filter holds the post, it
    is withheld and no longer counted. Later the stream worker brings the post to
    those who may see it now (`fan_out_post`, `fan_out_to_friends`), takes it out where it does not belong any more,
    lists it or takes it off the local timeline (`list_in_public`) and the pages of its tags, notifies those whom it
    mentions and reaches now (`notify_of_mention`), and does the same for the replies in its thread (`carry_audience`).
    """
    if audience != Audience.ONLY_ME:
        by.must_have_voice()
    key = keys.post(by.user_id, post_id)

    def attempt() -> Verdict | None:
        post = reading.get(Post, key, consistent=True)
        if post.root_id:
            raise NotFound("a reply is for those whom its thread is for")
        if (post.audience or "", post.circle or "") == (audience, circle):
            return None
        if post.withheld:
            raise CannotChangeAudience(why_it_waits())
        is_shown = post.audience == Audience.ONLY_ME
        verdict = _judge(by, post, audience) if is_shown else NOTHING_AGAINST_IT
        transact(
            *show_to(post, audience, circle, also=_decided(verdict) if is_shown else ()),
            *_count(post, audience, verdict),
        )
        return verdict

    return write_as_read(attempt)


def why_it_waits() -> str:
    return _(
        "A moderator has to decide about this post first, so you can’t change who sees it now."
    )


def _judge(by: Viewer, post: Post, audience: str) -> Verdict:
    """Judges what the post says, and said: its readers can read that, too."""
    options = post.poll.texts if post.poll else ()
    texts = [words_of(post.content, post.warning or "", *options)]
    if post.version:
        earlier = reading.query(keys.history(post.post_id), consistent=True)
        versions = (row(PostVersion, raw) for raw in earlier)
        texts += [words_of(one.content, one.warning or "") for one in versions]
    described = get_photos(by, [photo.photo_id for photo in post.photos or ()])
    texts += [photo.alt or "" for photo in described]
    return judge_post(by=by, content="\n".join(texts), audience=audience)


def show_to(
    post: Post, audience: str, circle: str = "", *, also: Sequence[Action] = ()
) -> list[WriteAction]:
    """Returns the change of a post's audience, on condition that the post is as it was read, and that of the gate that
    stands beside a post which ends by itself. The post count changes with it (`PostCount`)."""
    changes = [
        Post.audience.set(audience) if audience else Post.audience.remove(),
        Post.circle.set(circle) if circle else Post.circle.remove(),
        *also,
    ]
    as_read = is_version(post) & has_audience(post) & Post.withheld.does_not_exist()
    key = keys.post(post.author_id, post.post_id)
    change = Change(Post, key, changes, as_read, otherwise=Moved)
    if not post.ttl:
        return [change]
    gate = ThreadGate.new(post, beside=True)
    gate.audience, gate.circle = audience or None, circle or None
    return [change, Put(gate)]


def _decided(verdict: Verdict) -> Sequence[Action]:
    flagged = Post.flagged.set(verdict.flagged) if verdict.flagged else Post.flagged.remove()
    return [flagged, *([Post.withheld.set(verdict.withheld)] if verdict.withheld else ())]


def _count(post: Post, audience: str, verdict: Verdict) -> list[WriteAction]:
    count = PostCount(post.author_id)
    count.take(post)
    count.add(post, audience=audience, withheld=verdict.withheld)
    return count.writes()
