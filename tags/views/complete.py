"""What the composer suggests while someone types (`static/js/complete.js`)."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, sign_in_required
from tags.complete import complete as suggestions_for


@require_safe
@sign_in_required
def complete(request: SiteRequest) -> HttpResponse:
    """Shows the people or tags that begin with `q`, at most 8, as a list to choose from; 204 if there are none.

    For tags a Query, 0.5 read units; for people a Query and a BatchGetItem, 0.5 + 24.
    """
    suggestions = suggestions_for(request.GET.get("q", "").strip(), viewer=request.user)
    if not suggestions:
        return HttpResponse(status=204)
    return render(request, "tags/_suggestions.html", {"suggestions": suggestions})
