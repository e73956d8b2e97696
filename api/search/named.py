"""What a search names exactly: a person by the whole handle, or a person or post by the address of its page. Apps ask
so (`resolve`) before they follow whom someone typed, and to open links to this site themselves."""

import re
from contextlib import suppress
from typing import NamedTuple

from accounts.people.cards import PersonCard
from api.access import ApiRequest, here
from api.people.views import find_by_handle
from feed.cards.post_card import PostCard
from feed.cards.reads import get_post
from socialsite.table import NotFound

PAGE = re.compile(r"/@([^/?#]+)(?:/posts/([0-9A-Z]{26}))?/?(?:[?#].*)?")


class Named(NamedTuple):
    """`is_address`: what was asked for is an address, in which nothing else is to be searched."""

    person: PersonCard | None = None
    post: PostCard | None = None
    is_address: bool = False


def find_named(request: ApiRequest, text: str) -> Named:
    """Returns what the text names, and nothing of what the viewer may not see. As the page of a person or a post, and a
    GetItem of the handle, 0.5 read units."""
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
