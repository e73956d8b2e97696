"""The card in the right column, with a few people to follow, fetched when the column is visible; and dismissing a
suggestion."""

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.suggested.beside_known import list_few_to_follow
from relations.services.dismiss_suggestion import dismiss_suggestion, restore_suggestion
from relations.suggested.people_you_may_know import ask_for_suggestions, get_suggestion
from socialsite.web.fragments import wanted_state

SHOWN = 3


@require_safe
def people_to_follow(request: SiteRequest) -> HttpResponseBase:
    """Shows the card: people the viewer may know first. Without htmx it is the explore page.

    `besides` is the handle of the page's own person, who is left out.
    """
    ask_for_suggestions(request.people)
    return _card(request)


@sign_in_required
def _card(request: SiteRequest) -> HttpResponse:
    if not request.htmx:
        return redirect("/explore")
    besides = request.GET.get("besides", "").lower()
    few = list_few_to_follow(viewer=request.user, size=SHOWN, besides=besides)
    context = {"known": few.known, "people": few.people}
    return render(request, "feed/_people_to_follow.html", context)


@require_POST
@sign_in_required
def dismiss(request: SiteRequest, handle: str) -> HttpResponse:
    """Stops suggesting a person (`on=1`), or undoes that (`on=0`). htmx gets the replacement of the row."""
    person_id = request.people.person_id
    on = wanted_state(request)
    if person_id == request.user.user_id:
        raise BadRequest("nobody is suggested to themselves")
    if on:
        dismiss_suggestion(by=request.user, user_id=person_id)
    else:
        restore_suggestion(by=request.user, user_id=person_id)
    if not request.htmx:
        return redirect(f"/explore?dismissed={handle}" if on else "/explore")
    suggestion = None if on else get_suggestion(viewer=request.user, user_id=person_id)
    if suggestion:
        return render(request, "feed/_suggestion.html", {"suggestion": suggestion, "is_back": True})
    return render(request, "feed/_dismissed.html", {"handle": handle, "on": on})
