"""What a waiting page asks again and again."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from notifications.access_patterns import get_waiting


@require_safe
def pulse(request: SiteRequest) -> HttpResponse:
    """Answers with the badges if they are no longer as the page shows them (`seen`), else 204."""
    if not request.htmx:
        return redirect("/")
    user_id, secret_hash = request.people.session
    waiting = get_waiting(user_id, secret_hash) if user_id else None
    if waiting is None:
        response = HttpResponse(status=204)
        response["HX-Redirect"] = "/login"
        return response
    if request.GET.get("seen") == waiting.state:
        return HttpResponse(status=204)
    return render(request, "notifications/_badges.html", {"waiting": waiting})
