"""The page on which staff set what junior moderators may do."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from moderation.seniors.forms import LimitsForm
from moderation.seniors.writes import save_limits
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.web.fragments import form_page

PAGE = "/moderation/juniors"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.ROLES)
def juniors(request: SiteRequest) -> HttpResponse:
    """Shows and saves the limits."""
    site = read_site_rules()
    form = LimitsForm(
        request.POST if request.method == "POST" else None,
        initial={"wave": site.junior_wave, "days": site.junior_days, "level": site.junior_level},
    )
    if form.is_valid():
        save_limits(by=request.user, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect(PAGE)
    return form_page(request, "moderation/seniors/juniors.html", {"form": form})
