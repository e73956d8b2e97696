"""Changing a post that is published: its text, of which what it said before stays to be read, the descriptions of its
photos, who can see it, for one post or all past ones, and whether it is pinned to the top of its author's page. Every
read asks, so each holds for every reader at once. All past posts are limited by the stream worker (`limit_step`)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.models import UserCount
from accounts.people.reads import find_mentioned
from accounts.people.viewer import Viewer
from feed.posts.content_checks import NOTHING_AGAINST_IT, Verdict, judge_post, must_fit, words_of
from feed.posts.models import Audience, Post, ThreadGate
from feed.posts.writes import PostCount, change_copy, has_audience, is_there, is_version
from feed.publishing.levels import more_links, told_of_level
from feed.publishing.models import PostVersion
from feed.publishing.photos import alt_of, describe_as_fits
from feed.publishing.reads import MOST_VERSIONS
from photos.models import Photo
from photos.reads import get_photos
from photos.writes import describe
from socialsite.clock import utc_now
from socialsite.streams import Job, JobKind
from socialsite.table import (
    AlreadyExists,
    Change,
    Check,
    Conflict,
    Create,
    Moved,
    NotFound,
    Put,
    TableError,
    WriteAction,
    access_pattern,
    as_model,
    change,
    create,
    fetch,
    ids,
    keys,
    reading,
    row,
    transact,
    write_optimistically,
)


class CannotEdit(TableError):
    """The post takes no edit. `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class EditedMeanwhile(Conflict):
    """The post was edited since the author began: they see the other text first."""


@access_pattern
def edit_post(
    *, by: Viewer, post_id: str, content: str, version: int, warning: str = "", lang: str = ""
) -> Verdict | None:
    """Gives one of the signed-in person's own posts another text, content warning and language, and returns what the
    site's rules say of it, None if it has all three already. `version` is the one that the author saw. Safe to repeat.

    Raises `NotFound`, `EditedMeanwhile`, `CannotEdit` with a sentence (a post that only its author sees, one with a
    poll, too many versions), `Frozen`, `RefusedByRules`, `TooLarge`.

    One consistent GetItem, one BatchGetItem of the people whom the text mentions, if any. Then one TransactWriteItems
    changes the Post, on condition that it has the text and the audience that were read and is not withheld, and puts
    what it said before as PostVersion, 4 write units. Of a reply it changes the copy in the thread too, 6 write units.
    In all 4 write units, 6 for a reply, 2 more if it is held, and 1 read unit. If a word filter holds the text, the
    post is withheld and no longer counted, 2 more. Later the stream worker tells those who are mentioned now and takes
    it back from those who no longer are (`notify_of_mention`), and opens a case for a held or flagged text
    (`moderation/reports/stream.py`).
    """
    by.must_have_voice()
    key = keys.post(by.user_id, post_id)

    def attempt() -> Verdict | None:
        post = reading.get(Post, key, consistent=True)
        if (post.content, post.warning or "", post.lang or "") == (content, warning, lang):
            return None
        if post.withheld:
            raise CannotEdit(why_withheld())
        if post.poll:
            raise CannotEdit(why_a_poll_stays())
        if int(post.version or 1) != version:
            raise EditedMeanwhile
        if version >= MOST_VERSIONS:
            raise CannotEdit(_why_so_often())
        audience = post.audience or ""
        judged_for = Audience.EVERYONE if post.root_id else audience  # as when it was written
        verdict = judge_post(by=by, content=content, warning=warning, audience=judged_for)
        words = _words(content, warning, lang)
        shorter = _descriptions_that_fit(post, words)
        must_fit(post, **words, flagged=verdict.flagged or None)
        changed = [*_changes(post, verdict), *(_set(*one) for one in words.items())]
        flagged = _set("flagged", verdict.flagged or None)
        as_read = is_version(post) & Post.withheld.does_not_exist() & has_audience(post)
        transact(
            Change(Post, key, [*changed, *shorter, flagged], as_read, otherwise=Moved),
            Create(PostVersion.new(post), otherwise=Moved),
            *change_copy(post, [*changed, *shorter]),
            *_count(post, verdict),
            *more_links(by, post, content),
            may_be_own=False,  # two edits put the same PostVersion; one's own is known by its text
        )
        return verdict

    with told_of_level(by):
        return write_optimistically(attempt)


def _count(post: Post, verdict: Verdict) -> list[WriteAction]:
    count = PostCount(post.author_id)
    count.take(post)
    count.add(post, audience=post.audience or "", withheld=verdict.withheld)
    return count.writes()


def why_withheld() -> str:
    return _("A moderator has to decide about this post first, so you can’t edit it now.")


def why_a_poll_stays() -> str:
    return _(
        "A post with a poll can’t be edited, so that every vote stays an answer to what it asked. "
        "Delete it and post it again."
    )


def _words(content: str, warning: str, lang: str) -> dict[str, Any]:
    """Returns what the post says from now on, by attribute. None is no such attribute."""
    mentions = find_mentioned(content)
    return {
        "content": content,
        "mentions": mentions,
        "warning": warning or None,
        "lang": lang or None,
    }


def _descriptions_that_fit(post: Post, words: dict[str, Any]) -> Sequence[Action]:
    """Cuts the copies of the descriptions of its photos, where the text leaves less room, and returns these changes."""
    before = [photo.alt or "" for photo in post.photos or ()]
    describe_as_fits(post, before, **words)
    after = [photo.alt or "" for photo in post.photos or ()]
    changed = [n for n, text in enumerate(after) if text != before[n]]
    return [alt_of(n).set(after[n]) for n in changed]


def _changes(post: Post, verdict: Verdict) -> Sequence[Action]:
    """Returns what else changes of the post, and of its copy in a thread, too."""
    changes: list[Action] = [
        Post.version.set(int(post.version or 1) + 1),
        Post.edited_at.set(utc_now().isoformat(timespec="seconds")),
    ]
    return [*changes, Post.withheld.set(verdict.withheld)] if verdict.withheld else changes


def _set(name: str, value: Any) -> Action:
    """Returns the setting of an attribute, or its removal."""
    attribute = Post.get_attributes()[name]
    return attribute.remove() if value is None else attribute.set(value)


def _why_so_often() -> str:
    return ngettext(
        "You’ve edited this post %(n)d time, and that’s the limit. Write a new one instead.",
        "You’ve edited this post %(n)d times, and that’s the limit. Write a new one instead.",
        MOST_VERSIONS - 1,
    ) % {"n": MOST_VERSIONS - 1}


@access_pattern
def describe_photos(*, by: Viewer, post_id: str, descriptions: Mapping[str, str]) -> None:
    """Describes photos of one of the signed-in person's own posts. `descriptions` names all of them, by their ids. Safe
    to repeat.

    Raises `NotFound`, also if a photo of the post is not named, `CannotEdit` with a sentence (a moderator has to decide
    about the post, or would have to about these words), `Frozen`, `RefusedByRules`.

    One consistent GetItem, then one TransactWriteItems: the photos with their whole descriptions, and the post with as
    much of them as fits, on condition that it has the text and the audience that were read, 2 write units each and KB.
    In all 12 write units and 1 read unit. Of a reply the copy in the thread, too, 2 more.
    """
    by.must_have_voice()
    key = keys.post(by.user_id, post_id)

    def attempt() -> None:
        post = reading.get(Post, key, consistent=True)
        photos = post.photos or []
        if not photos or {photo.photo_id for photo in photos} != set(descriptions):
            raise NotFound("not the photos of this post")
        if post.withheld:
            raise CannotEdit(why_withheld())
        texts = [descriptions[photo.photo_id] for photo in photos]
        verdict = judge_post(by=by, content="", audience=post.audience or "", others=texts)
        if verdict.withheld:
            raise CannotEdit(_("A moderator would have to look at these words first. Change them."))
        describe_as_fits(post, texts)
        copies = [
            alt_of(n).set(photo.alt) if photo.alt else alt_of(n).remove()
            for n, photo in enumerate(photos)
        ]
        as_read = is_version(post) & Post.withheld.does_not_exist() & has_audience(post)
        transact(
            Change(Post, key, copies, as_read, otherwise=Moved),
            *change_copy(post, copies),
            *(
                describe(by.user_id, photo.photo_id, text, condition=Photo.post_id == post_id)
                for photo, text in zip(photos, texts, strict=True)
            ),
        )

    write_optimistically(attempt)


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

    A post that only its author could see is judged as a new one, with all that it said before its edits. Frozen people
    can only take a post back to themselves.

    Raises `NotFound` (also for replies: they are for those whom their thread is for), `CannotChangeAudience` with a
    sentence (a withheld post), `Frozen`, `RefusedByRules`.

    One consistent GetItem, 1 read unit; if the post is judged and was edited, a Query of what it said before. Then one
    TransactWriteItems changes the Post, on condition that it has the text and the audience that were read, 2 write
    units, and the post count if the post begins or ends to be for everyone, 2 more. In all 2 write units, 4 to or from
    everyone, 2 more for someone limited, and 1 read unit. If a word filter holds the post, it is withheld and no longer
    counted. Later the stream worker brings the post to those who may see it now (`fan_out_post`, `fan_out_to_friends`),
    takes it out where it does not belong any more, lists it or takes it off the local timeline (`list_in_public`) and
    the pages of its tags, notifies those whom it mentions and reaches now (`notify_of_mention`), and does the same for
    the replies in its thread (`carry_audience`).
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
            *_count_with_audience(post, audience, verdict),
        )
        return verdict

    return write_optimistically(attempt)


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


def _count_with_audience(post: Post, audience: str, verdict: Verdict) -> list[WriteAction]:
    count = PostCount(post.author_id)
    count.take(post)
    count.add(post, audience=audience, withheld=verdict.withheld)
    return count.writes()


class AlreadyLimiting(AlreadyExists):
    """The worker is at it, for this audience or another one."""


@access_pattern
def limit_past_posts(*, by: Viewer, audience: str, count: int) -> None:
    """Asks the stream worker to show the signed-in person's posts from before now, as far as they are for everyone, to
    `audience` alone: followers or friends. `count` is how many were found, for the operators. Replies and what a
    moderator reviews or hid stay as they are.

    One PutItem of a Job, 1 write unit, one at a time for each person. Raises `AlreadyLimiting`, `Frozen`.
    """
    by.must_have_voice()
    job = Job.new(
        kind=JobKind.LIMIT_POSTS,
        job_id=by.user_id,
        subject_id=by.user_id,
        audience=audience,
        cursor=keys.post(by.user_id, ids.new_id()).sk,  # newer posts are not concerned
        total=count,
    )
    create(job, otherwise=AlreadyLimiting)


MOST_PINS = 3


class CannotPin(TableError):
    """The post cannot be pinned. `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@access_pattern
def pin_post(*, by: Viewer, post_id: str) -> None:
    """Pins one of the signed-in person's own posts, but no reply. Safe to repeat. Pinned posts that were deleted or
    withheld since make room. Raises `NotFound`, `CannotPin` with a sentence (a withheld post, too many pins), `Frozen`.

    Two consistent BatchGetItems of the post, the counts and the other pinned posts, at most 5 read units, and one
    TransactWriteItems of the counts, as they were read, with a check of the post, 4 write units.
    """
    by.must_have_voice()
    post_key, count_key = keys.post(by.user_id, post_id), keys.user_count(by.user_id)

    def attempt() -> None:
        found = fetch([post_key, count_key], consistent=True)
        if post_key not in found:
            raise NotFound("no post of theirs")
        post = as_model(Post, found[post_key])
        if post.root_id:
            raise NotFound("a reply")
        if post.withheld:
            raise CannotPin(_("Only you can see this post, so you can’t pin it."))
        pins = row(UserCount, found[count_key]).pins
        if post_id in pins:
            return
        kept = _shown(by, pins)
        if len(kept) >= MOST_PINS:
            raise CannotPin(why_full())
        changes = [UserCount.pins.set({*kept, post_id})]
        transact(
            Change(UserCount, count_key, changes, are_pins(pins), otherwise=Moved),
            Check(post_key, is_there() & Post.withheld.does_not_exist(), Moved),
        )

    write_optimistically(attempt)


@access_pattern
def unpin_post(*, by: Viewer, post_id: str) -> None:
    """Takes a post off the top of the signed-in person's page. Safe to repeat. One UpdateItem, 1 write unit."""
    change(UserCount, keys.user_count(by.user_id), [UserCount.pins.delete({post_id})])


def why_full() -> str:
    return ngettext(
        "You can pin %(n)d post. Unpin it first.",
        "You can pin %(n)d posts. Unpin one of them first.",
        MOST_PINS,
    ) % {"n": MOST_PINS}


def _shown(by: Viewer, pins: Collection[str]) -> list[str]:
    """Returns those of the pinned posts that are there and not withheld."""
    wanted = {post_id: keys.post(by.user_id, post_id) for post_id in pins}
    found = fetch(wanted.values(), consistent=True)
    return [one for one, key in wanted.items() if key in found and "withheld" not in found[key]]


def are_pins(pins: Collection[str]) -> Condition:
    """The condition that these are the pins."""
    return UserCount.pins == set(pins) if pins else UserCount.pins.does_not_exist()
