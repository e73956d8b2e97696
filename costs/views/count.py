"""The button that has everything in the table counted."""

from contextlib import suppress

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from costs.services.count_stored import AlreadyCounting, count_stored


@require_POST
@permission_required(Permission.COSTS)
def count(request: SiteRequest) -> HttpResponse:
    """Starts a count. Does nothing more if one is under way."""
    with suppress(AlreadyCounting):
        count_stored(by=request.user)
    messages.success(request, _("The worker is counting. Reload this page to see how far it is."))
    return redirect("/moderation/costs#stored")
