"""How the site is set up: who may sign up, what waits, the banner, the public log."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from moderation.rules.forms.site_settings import SiteSettingsForm
from moderation.rules.services.site_settings import save_settings
from moderation.rules.slowness import slow_context
from socialsite.site.site_rules import read_site_rules
from socialsite.web.fragments import form_page


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def site(request: SiteRequest) -> HttpResponse:
    """Shows the settings; saves them."""
    typed = request.POST if request.method == "POST" else None
    set_up = read_site_rules()
    form = SiteSettingsForm(typed, site=set_up)
    if form.is_valid():
        save_settings(by=request.user, values=form.settings, banners=form.banners)
        messages.success(request, _("Site settings saved."))
        return redirect("/moderation/site")
    return form_page(request, "moderation/rules/site.html", {"form": form, **slow_context(set_up)})
