"""The search of the site: people, tags and public posts."""

from typing import Any

from api.access import ApiRequest, endpoint, here
from api.entities.account import account_of
from api.entities.status import status_of, tag_of
from api.pages import limit_of
from finding.query import read_query
from finding.reads import Best, find_best, search_posts
from relations.directory import find_tags, search_people

LONGEST_NAME = 60  # characters of a search in people and tags


@endpoint("read:search", visitors=True)
def search(request: ApiRequest) -> Any:
    """The best of each kind, or of the `type` that is asked for. There are no further pages: `offset` finds nothing."""
    sent, viewer, at = request.sent, request.user, here(request)
    asked, size, kind = read_query(sent.get("q")), limit_of(request), sent.get("type")
    found: dict[str, list[Any]] = {"accounts": [], "statuses": [], "hashtags": []}
    if not asked.text or sent.get("offset", "0") != "0" or kind not in ("", *found):
        return found
    name = asked.text[:LONGEST_NAME]
    if not kind:
        best = find_best(asked, viewer=viewer)
    elif kind == "accounts":
        best = Best(search_people(name.removeprefix("@"), viewer=viewer, size=size).items)
    elif kind == "statuses":
        best = Best(hits=search_posts(asked, viewer=viewer, size=size))
    else:
        best = Best(tags=find_tags(name, size=size))
    return {
        "accounts": [account_of(one, at) for one in best.people],
        "statuses": [status_of(one, at, viewer) for one in best.hits.items],
        "hashtags": [tag_of(one, at) for one in best.tags],
    }
