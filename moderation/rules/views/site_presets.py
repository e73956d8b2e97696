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
from moderation.rules.forms.site_presets import ACTIONS, NewPresetForm, PresetForm
from moderation.rules.languages import languages_of, list_gaps, shown_language
from moderation.rules.services import site_presets as service
from moderation.rules.services.site_texts import LastWords
from moderation.rules.views.asked_language import asked_language
from moderation.rules.views.refusals import say_why_not
from moderation.rules.views.removal import remove_and_say
from socialsite.site.site_rules import read_site_rules
from socialsite.site.site_texts import NO_WORDS
from socialsite.table.errors import NotFound
from socialsite.web.fragments import form_page

PAGE = "/moderation/presets"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def presets(request: SiteRequest) -> HttpResponse:
    """Shows all templates by action, and a form for a new one."""
    form = NewPresetForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and _is_saved(request, form):
        messages.success(request, _("Template added."))
        return redirect(PAGE)
    site = read_site_rules()
    groups = [
        (label, [(one, languages_of(one)) for one in site.presets_for(action)])
        for action, label in ACTIONS
    ]
    context = {
        "groups": [(label, found) for label, found in groups if found],
        "gaps": list_gaps(site.presets),
        "form": form,
        "most": service.MOST_PRESETS,
    }
    return form_page(request, "moderation/rules/presets.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def preset(request: SiteRequest, preset_id: str) -> HttpResponse:
    """Shows and saves one template in one language."""
    found = next((one for one in read_site_rules().presets if one.preset_id == preset_id), None)
    if found is None:
        raise NotFound("no such text")
    language = asked_language(request)
    own = found.written.get(language, NO_WORDS)
    initial = {"action": found.action, "title": own.title, "text": own.text}
    form = PresetForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid() and _is_saved(request, form, preset_id):
        messages.success(request, _("Template saved."))
        return redirect(PAGE)
    context = {
        "preset": found,
        "form": form,
        "language": language,
        "languages": languages_of(found),
        "shown": found.words_in(language),
        "shown_language": shown_language(found, language),
        "is_missing": language not in found.written,
        "may_remove": language in found.written and len(found.written) > 1,
    }
    return form_page(request, "moderation/rules/preset.html", context)


@require_POST
@permission_required(Permission.SITE)
def remove_words(request: SiteRequest, preset_id: str) -> HttpResponse:
    """Removes the words of a template in one language. Does nothing if there are none."""
    language = asked_language(request)
    try:
        return remove_and_say(
            request,
            lambda: service.remove_preset_words(
                by=request.user, preset_id=preset_id, language=language
            ),
            _("Words removed."),
            to=PAGE,
        )
    except LastWords:
        messages.error(request, _("These are its only words. Remove the whole template instead."))
        return redirect(PAGE)


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
    values = form.cleaned_data | {"language": asked_language(request)}
    with say_why_not(
        form, "title", _("There is already a template with this title. Choose another.")
    ):
        service.save_preset(by=request.user, preset_id=preset_id, **values)
    return form.is_valid()
