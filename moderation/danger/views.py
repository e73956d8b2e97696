"""The page for people in danger, and the staff page of who helps."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.guards import permission_required
from accounts.permissions import Permission, list_roles
from accounts.requests import SiteRequest
from moderation.danger.forms import HelpLinesForm
from moderation.danger.reads import find_offer
from moderation.danger.writes import save_help
from socialsite.site_settings.help_lines import EVERYWHERE, as_text
from socialsite.site_settings.site_rules import read_site_rules, site_rules
from socialsite.web.fragments import form_page

LINES_PAGE = "/moderation/help"


@require_safe
def help_now(request: SiteRequest) -> HttpResponse:
    """Shows who helps, in the reader's country first, and what moderators wrote to them. For everyone, signed in or
    not."""
    here, elsewhere = site_rules().help_for(get_current_timezone_name())
    account_id = request.user.account_id  # also of someone who is suspended
    offer = find_offer(account_id) if account_id else None
    context = {"here": here, "elsewhere": elsewhere, "everywhere": EVERYWHERE, "offer": offer}
    response = render(request, "moderation/danger/help_now.html", context)
    response["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def help_lines(request: SiteRequest) -> HttpResponse:
    """Shows and saves who helps, and who is told at once that somebody is in danger."""
    site = read_site_rules()
    form = HelpLinesForm(
        request.POST if request.method == "POST" else None,
        initial={"lines": as_text(site.help_lines), "role": site.danger_role},
        roles=list_roles(),
    )
    if form.is_valid():
        save_help(by=request.user, lines=form.cleaned_data["lines"], role=form.cleaned_data["role"])
        messages.success(request, _("Saved."))
        return redirect(LINES_PAGE)
    return form_page(request, "moderation/danger/help_lines.html", {"form": form})
