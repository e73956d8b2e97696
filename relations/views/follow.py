"""The follow button, removing followers, and the pages of followers and follows."""

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event

from accounts.cards import PersonCard
from accounts.requests import SiteRequest, sign_in_required
from relations.access_patterns import list_followers, list_following
from relations.profiles import find_person, get_profile
from relations.services import follow as service
from relations.services import follow_requests
from relations.services.follow_edges import AlreadyFollowing
from relations.views.answers import answer_press, back_of, explain_refusals
from socialsite.table.errors import Conflict, NotFound
from socialsite.web.bounds.limits import REQUESTS, count_hits
from socialsite.web.fragments import (
    cursor_of,
    fragment_or_redirect,
    neighbours,
    page_or_fragment,
    wanted_state,
)
from socialsite.web.link_preview import preview_of_list

TRIES = 3  # to follow or to ask, while the account is locked and unlocked


@require_POST
@sign_in_required
@explain_refusals
def follow(request: SiteRequest, handle: str) -> HttpResponse:
    """Follows, or asks to follow a locked account (`on=1`), or takes either back (`on=0`). Answers with the button in
    its new state, or leads to `next`.

    A page may have the button twice. The one in the right column says so, and gets its own id.
    """
    person_id = request.people.person_id
    person = find_person(person_id, viewer=request.user)
    followed = requested = False
    if wanted_state(request):
        followed = _follow_or_ask(request, person)
        requested = not followed
    elif not service.unfollow(
        by=request.user, user_id=person_id, is_widely_followed=person.is_widely_followed
    ):
        follow_requests.withdraw_follow_request(by=request.user, user_id=person_id)
    context = {
        "person": person.with_followed(followed, requested=requested),
        "place": "side-" if request.POST.get("place") == "side-" else "",
    }
    to = back_of(request)
    response = fragment_or_redirect(request, "relations/_follow_button.html", context, to=to)
    return trigger_client_event(response, "followed") if request.htmx else response


def _follow_or_ask(request: SiteRequest, person: PersonCard) -> bool:
    """Follows or asks. Returns whether the person is followed now. Tries again if they lock or unlock meanwhile."""
    person_id, is_widely_followed = person.user_id, person.is_widely_followed
    for _try in range(TRIES):
        try:
            service.follow(
                by=request.user, user_id=person_id, is_widely_followed=is_widely_followed
            )
        except service.Locked:
            count_hits((REQUESTS, request.user.user_id))
        else:
            return True
        try:
            follow_requests.request_follow(by=request.user, user_id=person_id)
        except follow_requests.NotLocked:
            continue
        except AlreadyFollowing:
            return True
        return False
    raise Conflict("the account keeps being locked and unlocked")


@require_POST
@sign_in_required
@explain_refusals
def remove_follower(request: SiteRequest, handle: str) -> HttpResponse:
    """Removes a follower, without telling them."""
    person = find_person(request.people.person_id, viewer=request.user)
    service.remove_follower(by=request.user, user_id=person.user_id)
    return answer_press(request, _("@%(handle)s no longer follows you.") % {"handle": handle})


@require_safe
def followers(request: SiteRequest, handle: str) -> HttpResponse:
    """Shows a person's followers."""
    return _people(request, "followers")


@require_safe
def following(request: SiteRequest, handle: str) -> HttpResponse:
    """Shows the people a person follows."""
    return _people(request, "following")


def _people(request: SiteRequest, tab: str) -> HttpResponse:
    profile = get_profile(request.people.person_id, viewer=request.user)
    if profile.relationship.is_hidden:
        raise NotFound("the two do not see each other")
    list_them = list_followers if tab == "followers" else list_following
    person = profile.person
    page = list_them(person.user_id, viewer=request.user, cursor=cursor_of(request))
    path = person.followers_url if tab == "followers" else person.following_url
    context = {
        "person": person,
        "people": page.items,
        "tab": tab,
        "link_preview": preview_of_list(request, path, is_indexed=person.is_indexed),
        **neighbours(request, page),
    }
    return page_or_fragment(
        request, "relations/people.html", "relations/_person_page.html", context
    )
