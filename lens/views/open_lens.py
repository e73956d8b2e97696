"""Opening and closing the lens in one browser."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from lens.right import is_developer, keep_choice
from socialsite.web.observing.security_log import Event, note_event


@require_POST
@never_cache
def open_lens(request: SiteRequest) -> HttpResponseBase:
    """Opens the lens in this browser (`on=1`) for eight hours, or closes it. Staff need the permission and a proof of
    the last minutes, and each opening is in the security log."""
    return _answer(request) if is_developer(request) else _answer_staff(request)


@permission_required(Permission.LENS)
def _answer_staff(request: SiteRequest) -> HttpResponse:
    if request.POST.get("on") == "1":
        note_event(Event.LENS_OPENED, account=request.user.account_id)
    return _answer(request)


def _answer(request: SiteRequest) -> HttpResponse:
    response = redirect("/dev/lens")
    keep_choice(response, is_open=request.POST.get("on") == "1")
    return response
