"""Templates: messages that moderators need often."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from moderation.rules.forms.site_presets import ACTIONS, PresetForm
from moderation.rules.services import site_presets as service
from moderation.rules.views.refusals import say_why_not
from moderation.rules.views.removal import remove_and_say
from socialsite.site.site_rules import read_site_rules
from socialsite.table.errors import NotFound
from socialsite.web.fragments import form_page

PAGE = "/moderation/presets"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def presets(request: SiteRequest) -> HttpResponse:
    """Shows all templates by action, and a form for a new one."""
    form = PresetForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and _is_saved(request, form):
        messages.success(request, _("Template added."))
        return redirect(PAGE)
    site = read_site_rules()
    groups = [(label, site.presets_for(action)) for action, label in ACTIONS]
    shown = [(label, found) for label, found in groups if found]
    context = {"groups": shown, "form": form, "most": service.MOST_PRESETS}
    return form_page(request, "moderation/rules/presets.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def preset(request: SiteRequest, preset_id: str) -> HttpResponse:
    """Shows and saves one template."""
    found = next((one for one in read_site_rules().presets if one.preset_id == preset_id), None)
    if found is None:
        raise NotFound("no such text")
    initial = {"action": found.action, "title": found.title, "text": found.text}
    form = PresetForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid() and _is_saved(request, form, preset_id):
        messages.success(request, _("Template saved."))
        return redirect(PAGE)
    context = {"preset": found, "form": form}
    return form_page(request, "moderation/rules/preset.html", context)


@require_POST
@permission_required(Permission.SITE)
def remove(request: SiteRequest, preset_id: str) -> HttpResponse:
    """Removes a template. Does nothing if it is already gone."""
    return remove_and_say(
        request,
        lambda: service.remove_preset(by=request.user, preset_id=preset_id),
        _("Template removed."),
        to=PAGE,
    )


def _is_saved(request: SiteRequest, form: forms.Form, preset_id: str = "") -> bool:
    with say_why_not(
        form, "title", _("There is already a template with this title. Choose another.")
    ):
        service.save_preset(by=request.user, preset_id=preset_id, **form.cleaned_data)
    return form.is_valid()
