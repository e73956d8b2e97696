"""Editing a post of the person's own: its text, and what is said of its photos. And what a post said before, for those
who may see it."""

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from api.access import ApiRequest, Sent, endpoint, here, refuse, valid
from api.composing.forms import language_in, must_be_single
from api.entities.account import account_of, as_html, moment
from api.pages import pointer_to
from api.statuses import answer, find
from feed.cards.post_card import PostCard
from feed.cards.reads import get_post, get_post_of_photos
from feed.publishing.changes import (
    CannotEdit,
    EditedMeanwhile,
    describe_photos,
    edit_post,
    why_a_poll_stays,
)
from feed.publishing.forms import DescriptionsForm, EditForm
from feed.publishing.reads import VersionCard, get_history, get_own_text
from socialsite.table import NotFound
from socialsite.web.limits import POSTS, count_hits


def _own(request: ApiRequest, name: str) -> str:
    """Returns the id of a post of the person's own. Raises `NotFound`, also for a repost."""
    card = find(request, name) if pointer_to(name).author_id == request.user.user_id else None
    if card is None or card.repost_id:
        raise NotFound("not theirs")
    return card.post_id


@endpoint("write:statuses")
def edit(request: ApiRequest, name: str) -> Any:
    """Changes what a post says: its text, content warning and language, and the descriptions of its photos. What is not
    sent stays. Its photos and its poll stay as they are: others are refused."""
    sent, viewer, post_id = request.sent, request.user, _own(request, name)
    must_be_single(sent, "status", "spoiler_text")
    text = get_own_text(post_id, viewer=viewer)
    card = get_post_of_photos(post_id, viewer.user_id, viewer=viewer)
    if sent.all("poll[options]") or sent.all("poll"):
        raise refuse(why_a_poll_stays() if text.has_poll else _("A post gets no poll afterwards."))
    described = _described(sent, card)
    typed = dict(text.as_typed)
    if "status" in sent:
        typed["content"] = sent.get("status")
    if "spoiler_text" in sent:
        typed["warning"] = sent.get("spoiler_text")
    if language := language_in(sent.get("language")):
        typed["language"] = language
    values = valid(EditForm(typed, needs_words=text.needs_words))
    count_hits((POSTS, viewer.user_id))
    try:
        if described:  # first, as nothing is described while a moderator looks at a new text
            describe_photos(by=viewer, post_id=post_id, descriptions=described)
        edit_post(by=viewer, post_id=post_id, **values)
    except CannotEdit as refusal:
        raise refuse(refusal.sentence) from refusal
    except EditedMeanwhile as error:
        raise refuse(_("You edited this post somewhere else in the meantime.")) from error
    return answer(request, get_post(post_id, viewer.user_id, viewer=viewer))


def _described(sent: Sent, card: PostCard) -> dict[str, str]:
    """Returns what is said of all photos of a post from now on, nothing if that does not change. Raises `Refusal` for
    other photos than the post has."""
    now = {photo.photo_id: photo.alt for photo in card.photos}
    media = [one for one in sent.all("media_ids") if one]
    # An empty list takes all away, where it comes: else a photo would stay that its author thinks is gone.
    if ("media_ids" in sent or "media_ids[]" in sent) and media != list(now):
        raise refuse(_("The photos of a post can’t be changed. Delete it and post it again."))
    wanted = {one: text for one, text in _attributes(sent).items() if one in now}
    changed = {one: text for one, text in wanted.items() if text != now[one]}
    if not changed:
        return {}
    return valid(DescriptionsForm(now | changed, described=now))


def _attributes(sent: Sent) -> Mapping[str, str]:
    """Returns the descriptions by the ids of photos, from `media_attributes` as JSON or as a form."""
    ids, texts = sent.all("media_attributes[][id]"), sent.all("media_attributes[][description]")
    found = dict(zip(ids, texts, strict=False))
    for one in sent.all("media_attributes"):
        try:
            said = json.loads(one)
        except (ValueError, RecursionError):
            continue
        if isinstance(said, dict) and isinstance(text := said.get("description"), str):
            found[str(said.get("id"))] = text
    return found


@endpoint("read:statuses")
def source(request: ApiRequest, name: str) -> Any:
    """The text of a post of the person's own as they typed it, to be edited."""
    text = get_own_text(_own(request, name), viewer=request.user)
    return {"id": name, "text": text.content, "spoiler_text": text.warning}


@endpoint("read:statuses", visitors=True)
def history(request: ApiRequest, name: str) -> Any:
    """All texts of a post, the first one first. As its page."""
    card = find(request, name)
    post, versions = get_history(card.post_id, card.author.user_id, viewer=request.user)
    photos = answer(request, post)["media_attachments"]
    return [_version(request, one, photos) for one in reversed(versions)]


def _version(request: ApiRequest, version: VersionCard, photos: Any) -> dict[str, Any]:
    at = here(request)
    return {
        "content": as_html(version.html, at),
        "spoiler_text": version.warning,
        "sensitive": version.is_covered,
        "created_at": moment(version.written),
        "account": account_of(version.author, at),
        "media_attachments": photos,
        "poll": None,
        "emojis": [],
    }
