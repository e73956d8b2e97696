"""The follow button, and the pages of followers and followed."""

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event

from accounts.access_patterns import get_user_info, list_followers, list_following
from accounts.services import follow as service
from accounts.views.sign_in import safe_target
from socialsite.web.fragments import (
    cursor_of,
    fragment_or_redirect,
    neighbours,
    page_or_fragment,
    wanted_state,
)
from socialsite.web.requests import SiteRequest, sign_in_required


@require_POST
@sign_in_required
def follow(request: SiteRequest, handle: str) -> HttpResponse:
    """Follows (`on=1`) or unfollows (`on=0`); answers the button in its new state, and back where `next` says.

    A page may have the button twice: that of the right column says so, for an id of its own.
    """
    person_id = request.people.person_id
    on = wanted_state(request)
    if person_id == request.user.user_id:
        raise BadRequest("nobody follows themselves")
    if on:
        service.follow(by=request.user, user_id=person_id)
    else:
        service.unfollow(by=request.user, user_id=person_id)
    person = get_user_info(person_id, viewer=request.user).with_followed(on)
    context = {"person": person, "place": "side-" if request.POST.get("place") == "side-" else ""}
    back = safe_target(request) if "next" in request.GET else person.url
    response = fragment_or_redirect(request, "accounts/_follow_button.html", context, to=back)
    return trigger_client_event(response, "followed") if request.htmx else response


@require_safe
def followers(request: SiteRequest, handle: str) -> HttpResponse:
    """Who follows a person."""
    person = get_user_info(request.people.person_id, viewer=request.user)
    page = list_followers(person.user_id, viewer=request.user, cursor=cursor_of(request))
    context = {"person": person, "people": page.items, "tab": "followers"}
    return page_or_fragment(
        request,
        "accounts/people.html",
        "accounts/_person_page.html",
        context | neighbours(request, page),
    )


@require_safe
def following(request: SiteRequest, handle: str) -> HttpResponse:
    """Whom a person follows."""
    person = get_user_info(request.people.person_id, viewer=request.user)
    page = list_following(person.user_id, viewer=request.user, cursor=cursor_of(request))
    context = {"person": person, "people": page.items, "tab": "following"}
    return page_or_fragment(
        request,
        "accounts/people.html",
        "accounts/_person_page.html",
        context | neighbours(request, page),
    )
