"""The search of the site: people, tags and public posts, and what a search names exactly."""

import re
from contextlib import suppress
from typing import Any, NamedTuple

from accounts.people.cards import PersonCard
from api.access import ApiRequest, endpoint, here
from api.entities.account import account_of
from api.entities.status import status_of, tag_of
from api.pages import limit_of
from api.people.views import find_by_handle
from feed.cards.post_card import PostCard
from feed.cards.reads import get_post
from finding.query import read_query
from finding.reads import Best, find_best, search_posts
from relations.directory import find_tags, search_people
from socialsite.table import NotFound

LONGEST_NAME = 60  # characters of a search in people and tags
PAGE = re.compile(r"/@([^/?#]+)(?:/posts/([0-9A-Z]{26}))?/?(?:[?#].*)?")


@endpoint("read:search", visitors=True)
def search(request: ApiRequest) -> Any:
    """The best of each kind, or of the `type` that is asked for; with `resolve` also what `find_named` finds. There are
    no further pages: `offset` finds nothing."""
    sent, viewer, at = request.sent, request.user, here(request)
    asked, size, kind = read_query(sent.get("q")), limit_of(request), sent.get("type")
    found: dict[str, list[Any]] = {"accounts": [], "statuses": [], "hashtags": []}
    if not asked.text or sent.get("offset", "0") != "0" or kind not in ("", *found):
        return found
    name = asked.text[:LONGEST_NAME]
    named = find_named(request, sent.get("q")) if sent.flag("resolve") else Named()
    if named.is_address:
        best = Best()
    elif not kind:
        best = find_best(asked, viewer=viewer)
    elif kind == "accounts":
        best = Best(search_people(name.removeprefix("@"), viewer=viewer, size=size).items)
    elif kind == "statuses":
        best = Best(hits=search_posts(asked, viewer=viewer, size=size))
    else:
        best = Best(tags=find_tags(name, size=size))
    people = {one.user_id: one for one in (named.person, *best.people) if one}
    posts = (named.post,) if named.post else best.hits.items
    return {
        "accounts": [account_of(one, at) for one in people.values()],
        "statuses": [status_of(one, at, viewer) for one in posts],
        "hashtags": [tag_of(one, at) for one in best.tags],
    }


class Named(NamedTuple):
    """`is_address`: what was asked for is an address, in which nothing else is to be searched."""

    person: PersonCard | None = None
    post: PostCard | None = None
    is_address: bool = False


def find_named(request: ApiRequest, text: str) -> Named:
    """Returns what the text names: a person by the whole handle, or a person or post by the address of its page, and
    nothing of what the viewer may not see. Apps ask so (`resolve`) before they follow whom someone typed, and to open
    links to this site themselves. As the page of a person or a post, and a GetItem of the handle, 0.5 read units."""
    is_address, text = text.startswith(("https://", "http://")), text.strip()
    with suppress(NotFound):
        if not is_address:
            return Named(find_by_handle(request, text)) if " " not in text else Named()
        path = text.removeprefix(here(request))
        if path != text and (page := PAGE.fullmatch(path)):
            person = find_by_handle(request, page[1])
            if not page[2]:
                return Named(person, is_address=True)
            return Named(
                post=get_post(page[2], person.user_id, viewer=request.user), is_address=True
            )
    return Named(is_address=is_address)
