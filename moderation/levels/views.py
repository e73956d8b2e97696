"""The staff page of levels, and the form of each."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from moderation.levels.forms import LevelForm
from moderation.levels.writes import save_level
from socialsite.site_settings.levels import QUIET_DAYS, Level
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.table import NotFound
from socialsite.web.fragments import form_page

PAGE = "/moderation/levels"


@require_safe
@permission_required(Permission.SITE)
def levels(request: SiteRequest) -> HttpResponse:
    """Shows all levels, with what each asks for and limits."""
    context = {"levels": read_site_rules().levels, "quiet_days": QUIET_DAYS}
    return render(request, "moderation/levels/levels.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def level(request: SiteRequest, name: str) -> HttpResponse:
    """Shows and saves one level."""
    if name not in list(Level):
        raise NotFound("no such level")
    found = read_site_rules().level_of(name)
    form = LevelForm(request.POST if request.method == "POST" else None, level=found)
    if form.is_valid():
        save_level(by=request.user, level=Level(name), values=form.values, names=form.names)
        messages.success(request, _("Level saved."))
        return redirect(PAGE)
    return form_page(request, "moderation/levels/level.html", {"level": found, "form": form})
