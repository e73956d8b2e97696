"""One post: what is done with it by the buttons of a card, and its conversation. `composing/` publishes it."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _

from api.access import ApiRequest, endpoint, here, refuse
from api.entities.status import status_of
from api.pages import pointer_to
from api.people.views import answer_people
from feed.cards.post_card import PostCard
from feed.cards.reads import get_posts, read_trace
from feed.likes.reads import list_likers
from feed.likes.writes import like_post, unlike_post
from feed.posts.reads import Pointer
from feed.publishing.changes import CannotPin, pin_post, unpin_post
from feed.publishing.writes import delete_post
from feed.saved.reads import find_saved_post
from feed.saved.writes import remove_saved_post, save_post
from feed.sharing.reads import list_reposters
from feed.sharing.writes import repost, take_repost_back
from feed.threads.reads import Branch, Node, get_conversation
from socialsite.table import PAGE_SIZE, NotFound
from socialsite.web.limits import POSTS, count_hits


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
def several(request: ApiRequest) -> Any:
    """Posts by their ids (`id[]`), at most 20, without those that are not there. As `get_posts`."""
    names = dict.fromkeys(request.sent.all("id"))
    if len(names) > PAGE_SIZE:
        raise refuse(_("Ask for 20 at most."))
    pointers = []
    for name in names:
        with suppress(NotFound):
            pointers.append(pointer_to(name))
    return [answer(request, card) for card in get_posts(pointers, viewer=request.user, quiet=None)]


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
    return answer_people(request, page.items, page, is_whole=True)


@endpoint("read:accounts", visitors=True)
def reblogged_by(request: ApiRequest, name: str) -> Any:
    card, viewer = find(request, name), request.user
    cursor = request.sent.get("max_id") or None
    page = list_reposters(card.post_id, viewer=viewer, cursor=cursor)
    return answer_people(request, page.items, page, is_whole=True)
