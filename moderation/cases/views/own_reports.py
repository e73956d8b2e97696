"""The viewer's own reports, and their outcomes."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, sign_in_required
from moderation.cases.own_cases import list_own_reports


@require_safe
@sign_in_required
def own_reports(request: SiteRequest) -> HttpResponse:
    """Shows the viewer's reports, newest first."""
    context = {"reports": list_own_reports(request.user)}
    response = render(request, "moderation/cases/own_reports.html", context)
    response["Cache-Control"] = "no-store"
    return response
