"""The card of the right column: a few people to follow, fetched when the column is seen."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from feed.suggestions import suggest_people
from socialsite.web.requests import SiteRequest, sign_in_required

SHOWN = 3


@require_safe
@sign_in_required
def people_to_follow(request: SiteRequest) -> HttpResponse:
    """What the card shows; on its own it is the explore page."""
    if not request.htmx:
        return redirect("/explore")
    people = suggest_people(viewer=request.user, size=SHOWN)
    return render(request, "feed/_people_to_follow.html", {"people": people})
