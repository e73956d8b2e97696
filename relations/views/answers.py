"""The answers to a button that changes something between two people: what changed, or why not."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh

from accounts.requests import SiteRequest
from accounts.views.sign_in import safe_target
from relations.own_lists import OF_OTHERS, OWN
from relations.profiles import get_person, get_profile
from relations.relation import Blocked, NotRelated
from relations.services.befriend import TooManyFriends
from relations.services.favourite import TooManyFavourites
from relations.services.follow_edges import TooManyFollowed
from relations.services.hide_reposts import TooManyWithoutReposts
from relations.services.subscribe import NotAFavourite
from socialsite.table.errors import NotFound

HandleView = Callable[[SiteRequest, str], HttpResponse]


def answer_press(request: SiteRequest, text: str) -> HttpResponse:
    """Answers a press. htmx gets the profile's header as it is now or, in a list of people, the changed row; the page
    anew if nobody sees the person now. Others go back to the page with the button. `text` says what was done."""
    if not request.htmx:
        messages.success(request, text)
        return redirect(back_of(request))
    try:
        return _changed_part(request, text)
    except NotFound:
        messages.success(request, text)
        return HttpResponseClientRefresh()


def _changed_part(request: SiteRequest, text: str) -> HttpResponse:
    person_id = request.people.person_id
    if list_of(request):
        person = get_person(person_id, viewer=request.user)
        context = {"person": person, "list": list_of(request), "text": text}
        return render(request, "relations/_answered_row.html", context)
    profile = get_profile(person_id, viewer=request.user, consistent=True)
    messages.success(request, text)
    header = {"person": profile.person, "relationship": profile.relationship, "is_fresh": True}
    return render(request, "relations/_profile_header.html", header)


def list_of(request: SiteRequest) -> str:
    """Returns the list in which the button was pressed, empty for a profile."""
    place = request.POST.get("place", "")
    return place if place in OWN or place in OF_OTHERS else ""


def back_of(request: SiteRequest) -> str:
    """Returns the address in `next`, otherwise the person's page."""
    handle = str(request.resolver_match.kwargs["handle"]) if request.resolver_match else ""
    return safe_target(request) if "next" in request.GET else f"/@{handle}"


def explain_refusals(view: HandleView) -> HandleView:
    """Tells the person why a service refused, in a toast or on a page with its status. Acting on yourself is a 400.

    The viewer's own block is named. The other person's block is never revealed: the answer is a 404, as on their page.
    """

    @wraps(view)
    def explained(request: SiteRequest, handle: str) -> HttpResponse:
        if request.people.person_id == request.user.user_id:
            raise BadRequest("one is nobody to oneself")
        try:
            return view(request, handle)
        except Blocked:
            get_profile(request.people.person_id, viewer=request.user, consistent=True)
            text = _("You can’t do this because you and @%(handle)s can’t see each other.")
            return _refused(request, text % {"handle": handle}, status=403)
        except TooManyFollowed:
            return _refused(
                request, _("You can follow up to 7,500 people. Unfollow someone first.")
            )
        except TooManyFriends:
            return _refused(
                request, _("One of you already has 1,000 friends, which is as many as we allow.")
            )
        except TooManyFavourites:
            return _refused(request, _("You can have up to 30 favourite people. Remove one first."))
        except TooManyWithoutReposts:
            return _refused(
                request,
                _("You can hide reposts from up to 100 people. Show someone’s reposts first."),
            )
        except NotAFavourite:
            return _refused(
                request, _("Add @%(handle)s to your favourite people first.") % {"handle": handle}
            )
        except NotRelated:
            return _refused(request, _("This request has been answered or withdrawn."))

    return explained


def _refused(request: SiteRequest, text: str, *, status: int = 409) -> HttpResponse:
    if request.htmx:
        messages.error(request, text)
        return HttpResponse(status=status)
    context = {"text": text, "href": back_of(request)}
    return render(request, "relations/refused.html", context, status=status)
