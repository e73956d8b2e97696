"""The search of the site: people, tags and public posts."""

from typing import Any

from api.access import ApiRequest, endpoint, here
from api.entities.account import account_of
from api.entities.status import status_of, tag_of
from api.pages import limit_of
from api.search.named import Named, find_named
from finding.query import read_query
from finding.reads import Best, find_best, search_posts
from relations.directory import find_tags, search_people

LONGEST_NAME = 60  # characters of a search in people and tags


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
