"""The switch that slows the site down for some hours."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.guards import permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.rules.services import slow_down as service

HOURS = {"1": 1, "6": 6, "24": 24, "72": 72}
NOW = "0"


@require_POST
@permission_required(Permission.CASES, Permission.SITE)
def slow_down(request: SiteRequest) -> HttpResponse:
    """Slows the site down for as many hours as are asked for, or ends that (`hours=0`)."""
    asked = request.POST.get("hours", "")
    if asked == NOW:
        service.speed_up(by=request.user)
        messages.success(request, _("The site is back to its usual settings."))
    elif asked in HOURS:
        service.slow_down(by=request.user, hours=HOURS[asked])
        messages.success(request, _("The site is slowed down."))
    else:
        raise BadRequest("no such time")
    is_moderator = Permission.CASES in permissions_of(request.user)
    return redirect("/moderation/waves" if is_moderator else "/moderation/site")
