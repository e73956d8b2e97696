"""Editing a post. It is changed for every reader at once, and what it said before stays to be read."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pynamodb.expressions.update import Action

from accounts.mentions import find_mentioned
from accounts.viewer import Viewer
from feed.editing.history import MOST_VERSIONS
from feed.models import Audience, Post, PostVersion
from feed.models.versions import is_version
from feed.photos.fitting import describe_as_fits
from feed.photos.places import alt_of
from feed.post_count import PostCount, has_audience
from feed.threads.copies import change_copy
from feed.verdicts import Verdict, judge_post, must_fit
from socialsite.clock import utc_now
from socialsite.table import keys, reading
from socialsite.table.actions import Change, Create, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import Conflict, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


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
    If a word filter holds the text, the post is withheld and no longer counted, 2 more. Later the stream worker tells
    those who are mentioned now and takes it back from those who no longer are (`notify_of_mention`), and opens a case
    for a held or flagged text (`moderation/stream_handlers/open_case.py`).
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
            may_be_own=False,  # two edits put the same PostVersion; one's own is known by its text
        )
        return verdict

    return write_as_read(attempt)


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
