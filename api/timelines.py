"""The lists of posts that pages show, with the same reads."""

from typing import Any

from api.access import ApiRequest, endpoint, here
from api.entities.status import status_of, tag_of
from api.pages import answer_page, cursor_for, limit_of, place_of_post, pointer_to
from feed.cards.post_card import PostCard
from feed.home.reads import get_timeline
from feed.profiles.reads import list_liked
from feed.saved.reads import list_saved_posts, scope_of
from feed.timelines.big_authors import ask_to_merge, get_news
from feed.timelines.local import SCOPE, list_public
from relations.own_choices.writes import list_followed_tags
from socialsite.table import Page, keys
from socialsite.texts import fold_tag
from tags.reads import list_tagged


def answer_posts(
    request: ApiRequest, page: Page[PostCard], *, is_whole: bool = False, **known: Any
) -> Any:
    """Answers with the posts of a page; `is_whole` with all, where the list goes on behind whole pages alone."""
    at, viewer = here(request), request.user
    items = [status_of(card, at, viewer, **known) for card in page.items]
    return answer_page(request, items, page, max(1, len(items)) if is_whole else limit_of(request))


@endpoint("read:statuses")
def home(request: ApiRequest) -> Any:
    """Home: the calls and units of its page."""
    viewer = request.user
    cursor = cursor_for(request, keys.timeline(viewer.user_id), place_of_post)
    news = get_news(viewer)
    page = get_timeline(viewer, cursor=cursor, news=news)
    if cursor is None:
        ask_to_merge(viewer, news)
    return answer_posts(request, page)


@endpoint("read:statuses", visitors=True)
def public(request: ApiRequest) -> Any:
    """Everyone's posts. There are none of other sites (`remote`)."""
    if request.sent.flag("remote"):
        return []
    cursor = cursor_for(request, SCOPE, lambda name: pointer_to(name).post_id)
    return answer_posts(request, list_public(viewer=request.user, cursor=cursor))


@endpoint("read:statuses", visitors=True)
def tagged(request: ApiRequest, tag: str) -> Any:
    folded = fold_tag(tag)
    if not folded:
        return []
    cursor = cursor_for(request, keys.tagged_posts(folded), place_of_post)
    return answer_posts(request, list_tagged(folded, viewer=request.user, cursor=cursor))


@endpoint("read:follows")
def followed_tags(request: ApiRequest) -> Any:
    """The tags that the person follows."""
    tags = list_followed_tags(request.user)
    return [tag_of(tag, here(request), following=True) for tag in tags]


@endpoint("read:favourites")
def favourites(request: ApiRequest) -> Any:
    """The posts that the person likes."""
    viewer = request.user
    assert viewer.card is not None
    scope = f"{keys.traces(viewer.user_id)} like"
    cursor = cursor_for(
        request, scope, lambda name: keys.like_trace(viewer.user_id, pointer_to(name).post_id).sk
    )
    page = list_liked(viewer.card, viewer=viewer, cursor=cursor)
    cards = [one for one in page.items if isinstance(one, PostCard)]
    return answer_posts(request, page.with_items(cards))


@endpoint("read:bookmarks")
def bookmarks(request: ApiRequest) -> Any:
    """The posts that the person saved."""
    viewer = request.user
    cursor = cursor_for(
        request,
        scope_of(viewer, ""),
        lambda name: keys.saved_post(viewer.user_id, pointer_to(name).post_id).sk,
    )
    page = list_saved_posts(viewer, cursor=cursor)
    cards = [one.post for one in page.items if one.post]
    return answer_posts(request, page.with_items(cards), bookmarked=True)
