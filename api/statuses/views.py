"""One post: what is done with it by the buttons of a card, and its conversation."""

import hashlib
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from api.access import ApiRequest, endpoint, here, refuse
from api.entities.status import status_of
from api.pages import pointer_to
from api.people.views import answer_people
from feed.cards.pages import is_for_everyone
from feed.cards.post_card import PostCard
from feed.cards.reads import get_post, get_posts, read_trace
from feed.likes.reads import list_likers
from feed.likes.writes import like_post, unlike_post
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.changes import CannotPin, pin_post, unpin_post
from feed.publishing.forms import AudienceForm, ExpiryForm, RepliesForm, TextForm
from feed.publishing.writes import SubmittedAndDeleted, delete_post, publish_post
from feed.saved.reads import find_saved_post
from feed.saved.writes import remove_saved_post, save_post
from feed.sharing.reads import list_reposters
from feed.sharing.writes import repost, take_repost_back
from feed.threads.reads import Branch, Node, get_conversation
from feed.threads.writes import reply
from socialsite.table import NotFound
from socialsite.web.limits import POSTS, count_hits
from socialsite.web.preferences import NAMES


def find(request: ApiRequest, name: str) -> PostCard:
    """Returns the post that an id names; by that of a repost, the post with the repost that brings it. As `get_post`.
    Raises `NotFound`, also if the viewer may not see it."""
    cards = get_posts([pointer_to(name)], viewer=request.user, quiet=None)
    if not cards:
        raise NotFound("no such post")
    return cards[0]


def answer(request: ApiRequest, card: PostCard, **known: Any) -> dict[str, Any]:
    return status_of(card, here(request), request.user, **known)


@endpoint("read:statuses", visitors=True)
def status(request: ApiRequest, name: str) -> Any:
    """A post, and whether it is saved: a BatchGetItem of 0.5 read units more than `get_post`."""
    card, viewer = find(request, name), request.user
    is_saved = viewer.is_authenticated and find_saved_post(card.post_id, viewer=viewer) is not None
    return answer(request, card, **({"bookmarked": is_saved} if viewer.is_authenticated else {}))


@endpoint("read:statuses", visitors=True)
def context(request: ApiRequest, name: str) -> Any:
    """What a post answers, and the first page of the answers to it, branch by branch. Those of people whom the viewer
    mutes, and those that the author of the thread hid, are left out: their page has them behind a press."""
    post_id, author_id = _shown_by(request, name)
    found = get_conversation(post_id, author_id, viewer=request.user)
    below = [node for branch in found.branches for node in _nodes(branch)]
    return {
        "ancestors": list(_cards(request, found.above)),
        "descendants": list(_cards(request, below)),
    }


def _shown_by(request: ApiRequest, name: str) -> tuple[str, str]:
    """Returns ids of post and author; of a repost, those of the post that it shows."""
    pointer = pointer_to(name)
    with suppress(NotFound):
        card = find(request, name)
        return card.post_id, card.author.user_id
    return pointer.post_id, pointer.author_id


def _nodes(branch: Branch) -> Iterator[Node]:
    yield from branch.chain
    for one in branch.branches:
        yield from _nodes(one)


def _cards(request: ApiRequest, nodes: Iterable[Node]) -> Iterator[dict[str, Any]]:
    for node in nodes:
        if node.card and not node.is_muted:
            yield answer(request, node.card)


class StatusForm(ExpiryForm, RepliesForm, AudienceForm, TextForm):
    """A new post, as the composer checks it."""


class AnswerForm(TextForm):
    """An answer. Who can read it is what the thread says."""


# What an app may say of the readers: of the words of Mastodon, those that say no more than they mean here. Ours are in
# `audience`.
VISIBILITIES = {"": "", "public": Audience.EVERYONE.value, "private": Audience.FOLLOWERS.value}
NOT_YET = ("media_ids", "poll", "poll[options]", "scheduled_at", "quoted_status_id")


@endpoint("write:statuses")
def publish(request: ApiRequest) -> Any:
    """Publishes a post or an answer. The same `Idempotency-Key` with the same text is the same post. Readers whom the
    site has no word for are refused: a wider audience than was meant is never chosen."""
    sent, viewer = request.sent, request.user
    for name in NOT_YET:
        if sent.all(name):
            raise refuse(_("Apps can’t send “%(name)s” to this site yet.") % {"name": name})
    visibility = sent.get("visibility")
    if visibility not in VISIBILITIES:
        told = _(
            "Nobody can be meant by “%(name)s” here. Choose who can see it: public or private."
        )
        raise refuse(told % {"name": visibility})
    if answered := sent.get("in_reply_to_id"):
        post_id = _answer(request, find(request, answered), visibility)
    else:
        post_id = _publish(request, VISIBILITIES[visibility])
    return answer(request, get_post(post_id, viewer.user_id, viewer=viewer))


def _publish(request: ApiRequest, audience: str) -> str:
    sent, viewer = request.sent, request.user
    if "audience" in sent:
        audience = "" if sent.get("audience") == "everyone" else sent.get("audience")
    typed = _typed(request) | {"audience": audience}
    typed |= {"replies": sent.get("replies"), "expires_in": sent.get("expires_in")}
    form = StatusForm(typed, circles=viewer.circles)
    values = _valid(form)
    count_hits((POSTS, viewer.user_id))
    try:
        return publish_post(by=viewer, **values)
    except SubmittedAndDeleted as error:
        raise refuse(_gone()) from error


def _answer(request: ApiRequest, post: PostCard, visibility: str) -> str:
    values = _valid(AnswerForm(_typed(request)))
    if visibility == "private" and is_for_everyone(post):
        told = _("Answers have the readers of the first post, and everyone can see this one.")
        raise refuse(told)
    count_hits((POSTS, request.user.user_id))
    to = Pointer(post.post_id, post.author.user_id)
    try:
        return reply(by=request.user, to=to, **values)
    except SubmittedAndDeleted as error:
        raise refuse(_gone()) from error


def _gone() -> str:
    return _("You’ve deleted this post.")


def _typed(request: ApiRequest) -> dict[str, str]:
    sent = request.sent
    return {
        "content": sent.get("status"),
        "warning": sent.get("spoiler_text"),
        "language": _language(sent.get("language")),
        "nonce": _nonce(request),
    }


LANGUAGES = {code.lower(): code for code, _name in NAMES}


def _language(asked: str) -> str:
    """Returns the language as the site names it, empty for one that it does not know."""
    whole = asked.lower()
    return LANGUAGES.get(whole) or LANGUAGES.get(whole.partition("-")[0], "")


def _nonce(request: ApiRequest) -> str:
    """Returns what makes sending twice harmless: by the app's own key, else a new one."""
    key = request.headers.get("Idempotency-Key", "")
    if not key:
        return secrets.token_urlsafe(16)
    hashed = hashlib.sha256(f"{request.access.client_id} {key}".encode()).digest()
    return urlsafe_b64encode(hashed)[:22].decode()


def _valid(form: forms.Form) -> dict[str, Any]:
    """Returns what a form holds. Raises `Refusal` with what is wrong with it."""
    if form.is_valid():
        return form.cleaned_data
    said = " ".join(str(one) for errors in form.errors.values() for one in errors)
    raise refuse(_("Validation failed: %(errors)s") % {"errors": said})


@endpoint("write:statuses")
def delete(request: ApiRequest, name: str) -> Any:
    """Deletes one of the person's own posts, or takes a repost of theirs back. The answer has the text, so that an app
    can write it anew."""
    viewer, pointer = request.user, pointer_to(name)
    if pointer.author_id != viewer.user_id:
        raise NotFound("not theirs")
    card = find(request, name)
    if card.repost_id:
        take_repost_back(by=viewer, post_id=card.post_id)
    else:
        delete_post(by=viewer, post_id=card.post_id)
    return answer(request, card, text=card.text)


@endpoint("write:favourites")
def favourite(request: ApiRequest, name: str) -> Any:
    card = _alone(find(request, name))
    author_id, shards = card.author.user_id, card.like_shards
    like_post(by=request.user, post_id=card.post_id, author_id=author_id, shards=shards)
    more = int(not card.liked)
    return answer(request, card._replace(liked=True, like_count=card.like_count + more))


@endpoint("write:favourites")
def unfavourite(request: ApiRequest, name: str) -> Any:
    card = _to_undo(request, name)
    if card is None:
        unlike_post(by=request.user, post_id=pointer_to(name).post_id)
        raise NotFound("not to be seen")
    unlike_post(by=request.user, post_id=card.post_id, shards=card.like_shards)
    count = max(0, card.like_count - int(card.liked))
    return answer(request, card._replace(liked=False, like_count=count))


@endpoint("write:statuses")
def reblog(request: ApiRequest, name: str) -> Any:
    """Reposts a post, and answers with the repost. Only posts for everyone are reposted."""
    card, viewer = _alone(find(request, name)), request.user
    if not card.can_be_reposted:
        raise NotFound("only posts for everyone are reposted")
    count_hits((POSTS, viewer.user_id))
    repost(by=viewer, post=Pointer(card.post_id, card.author.user_id, *card.thread))
    count = card.repost_count + int(not card.reposted)
    trace = read_trace(viewer, card.post_id)
    card = card._replace(reposted=True, repost_count=count)
    if trace and trace.repost_id and viewer.card:
        card = card._replace(repost_id=trace.repost_id, reposters=(viewer.card,))
    return answer(request, card)


@endpoint("write:statuses")
def unreblog(request: ApiRequest, name: str) -> Any:
    card = _to_undo(request, name)
    if card is None:
        take_repost_back(by=request.user, post_id=pointer_to(name).post_id)
        raise NotFound("not to be seen")
    take_repost_back(by=request.user, post_id=card.post_id)
    count = max(0, card.repost_count - int(card.reposted))
    return answer(request, card._replace(reposted=False, repost_count=count))


@endpoint("write:bookmarks")
def bookmark(request: ApiRequest, name: str) -> Any:
    """Saves a post. One that is saved stays in its folder, with its note."""
    card, viewer = _alone(find(request, name)), request.user
    if find_saved_post(card.post_id, viewer=viewer) is None:
        save_post(by=viewer, post_id=card.post_id, author_id=card.author.user_id)
    return answer(request, card, bookmarked=True)


@endpoint("write:bookmarks")
def unbookmark(request: ApiRequest, name: str) -> Any:
    card = _to_undo(request, name)
    if card is None:
        remove_saved_post(by=request.user, post_id=pointer_to(name).post_id)
        raise NotFound("not to be seen")
    remove_saved_post(by=request.user, post_id=card.post_id)
    return answer(request, card, bookmarked=False)


@endpoint("write:accounts")
def pin(request: ApiRequest, name: str) -> Any:
    """Puts a post of the person's own at the top of their page."""
    card = _own(request, name)
    try:
        pin_post(by=request.user, post_id=card.post_id)
    except CannotPin as refusal:
        raise refuse(refusal.sentence) from refusal
    return answer(request, card, pinned=True)


@endpoint("write:accounts")
def unpin(request: ApiRequest, name: str) -> Any:
    card = _own(request, name)
    unpin_post(by=request.user, post_id=card.post_id)
    return answer(request, card, pinned=False)


def _own(request: ApiRequest, name: str) -> PostCard:
    card = _alone(find(request, name))
    if not card.is_own or card.is_reply:
        raise NotFound("not a post of theirs that can be pinned")
    return card


def _to_undo(request: ApiRequest, name: str) -> PostCard | None:
    """Returns the post, None if the viewer may not see it any more: what they did with it is taken back all the same,
    and the answer is the same whatever they did."""
    with suppress(NotFound):
        return _alone(find(request, name))
    return None


def _alone(card: PostCard) -> PostCard:
    """Returns the post without the repost by whose id it was named."""
    return card._replace(repost_id="", reposters=())


@endpoint("read:accounts", visitors=True)
def favourited_by(request: ApiRequest, name: str) -> Any:
    card, viewer = find(request, name), request.user
    cursor = request.sent.get("max_id") or None
    page = list_likers(card.post_id, shards=card.like_shards, viewer=viewer, cursor=cursor)
    return answer_people(request, page.items, page)


@endpoint("read:accounts", visitors=True)
def reblogged_by(request: ApiRequest, name: str) -> Any:
    card, viewer = find(request, name), request.user
    cursor = request.sent.get("max_id") or None
    page = list_reposters(card.post_id, viewer=viewer, cursor=cursor)
    return answer_people(request, page.items, page)
