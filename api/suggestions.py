"""People whom the person may know, as Explore has them."""

from typing import Any

from api.access import ApiRequest, endpoint, here
from api.entities.account import account_of
from api.pages import limit_of
from relations.own_choices.writes import dismiss_suggestion
from relations.suggested import Suggestion, find_suggestions, list_suggestions
from socialsite.table import NotFound, ids

MOST = 10  # of whom one call reads all that decides whether they are shown


def _found(request: ApiRequest) -> list[Suggestion]:
    viewer, size = request.user, limit_of(request, MOST)
    found = find_suggestions(viewer).people
    return list_suggestions(viewer.user_id, found[:MOST], size=size)


@endpoint("read:accounts")
def suggestions(request: ApiRequest) -> Any:
    """People to follow, each with the reason that its card has."""
    at = here(request)
    return [
        {
            "source": "past_interactions",
            "sources": ["friends_of_friends"],
            "account": account_of(one.person, at),
            "reason": one.reason,  # the site's own word
        }
        for one in _found(request)
    ]


@endpoint("read:accounts")
def older_suggestions(request: ApiRequest) -> Any:
    return [account_of(one.person, here(request)) for one in _found(request)]


@endpoint("write:accounts")
def dismiss(request: ApiRequest, user_id: str) -> Any:
    """Stops suggesting a person for 90 days."""
    if not ids.is_id(user_id) or user_id == request.user.user_id:
        raise NotFound("nobody who could be suggested")
    dismiss_suggestion(by=request.user, user_id=user_id)
    return {}
