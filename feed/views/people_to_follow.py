"""The card in the right column, with a few people to follow, fetched when the column is visible; and dismissing a
suggestion."""

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.cards import PersonCard
from accounts.requests import SiteRequest, sign_in_required
from feed.suggestions import suggest_people
from relations.people_you_may_know import get_suggestion, people_you_may_know
from relations.services.dismiss_suggestion import dismiss_suggestion, restore_suggestion
from socialsite.web.fragments import wanted_state

SHOWN = 3


@require_safe
@sign_in_required
def people_to_follow(request: SiteRequest) -> HttpResponse:
    """Shows the card: people the viewer may know first. Without htmx it is the explore page.

    `besides` is the handle of the page's own person, who is left out.
    """
    if not request.htmx:
        return redirect("/explore")
    handle = request.GET.get("besides", "").lower()
    one_more = 1 if handle else 0
    known = people_you_may_know(viewer=request.user, size=SHOWN + one_more)
    known = [one for one in known if one.person.handle != handle][:SHOWN]
    besides = [one.person.user_id for one in known]
    people: list[PersonCard] = []
    if free := SHOWN - len(known):
        found = suggest_people(viewer=request.user, size=free + one_more, besides=besides)
        people = [one for one in found if one.handle != handle][:free]
    return render(request, "feed/_people_to_follow.html", {"known": known, "people": people})


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
