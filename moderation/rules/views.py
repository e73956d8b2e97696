"""How the site is set up: its rules, which people agree to and reports name, the templates of moderators, who may sign
up, what waits, the banner and the public log, and the switch that slows the site down for some hours."""

from collections.abc import Callable
from contextlib import suppress

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.cases.templates import rule_for
from moderation.rules import writes
from moderation.rules.forms import (
    NewRuleForm,
    RuleForm,
    SiteSettingsForm,
)
from moderation.rules.preset_forms import ACTIONS, NewPresetForm, PresetForm
from moderation.rules.reads import languages_of, list_gaps, shown_language, slow_context
from moderation.rules.writes import LastWords, save_settings
from moderation.staff.views import say_why_not
from socialsite.site_settings.site_rules import read_site_rules, rule_of
from socialsite.site_settings.site_setup import NO_WORDS, Rule, readers_language
from socialsite.table import NotFound
from socialsite.web.fragments import form_page


def asked_language(request: SiteRequest) -> str:
    """Returns the language in the address or the form, otherwise that of the page. Raises `BadRequest` for one that the
    site does not have."""
    asked = request.POST if request.method == "POST" else request.GET
    language = asked.get("language") or readers_language()
    if language not in dict(settings.LANGUAGES):
        raise BadRequest("not a language of the site")
    return language


def remove_and_say(
    request: HttpRequest, remove: Callable[[], None], text: str, *, to: str
) -> HttpResponse:
    """Removes it, says so on the page of the list, and does nothing if it is already gone."""
    with suppress(NotFound):
        remove()
    messages.success(request, text)
    return redirect(to)


RULES_PAGE = "/moderation/rules"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def rules(request: SiteRequest) -> HttpResponse:
    """Shows all rules in order, and a form for a new one."""
    form = NewRuleForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and _is_rule_saved(request, form):
        messages.success(request, _("Rule added."))
        return redirect(RULES_PAGE)
    found = read_site_rules().rules
    context = {
        "rows": [(rule, languages_of(rule)) for rule in found],
        "gaps": list_gaps(found),
        "form": form,
        "most": writes.MOST_RULES,
    }
    return form_page(request, "moderation/rules/rules.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def rule(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Shows and saves one rule in one language."""
    found = _found_rule(rule_id)
    language = asked_language(request)
    initial = _words_of_rule(found, language) | {"severity": found.severity}
    form = RuleForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid() and _is_rule_saved(request, form, rule_id):
        messages.success(request, _("Rule saved."))
        return redirect(RULES_PAGE)
    may_remove = language in found.written and (found.is_built_in or len(found.written) > 1)
    context = {
        "rule": found,
        "form": form,
        "language": language,
        "languages": languages_of(found),
        "shown": found.words_in(language),
        "shown_language": shown_language(found, language),
        "is_missing": language not in found.written and not found.is_built_in,
        "may_remove": may_remove,
    }
    return form_page(request, "moderation/rules/rule.html", context)


@require_POST
@permission_required(Permission.SITE)
def remove_rule_words(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Removes the words of a rule in one language. Does nothing if there are none."""
    language = asked_language(request)
    try:
        return remove_and_say(
            request,
            lambda: writes.remove_rule_words(by=request.user, rule_id=rule_id, language=language),
            _("Words removed."),
            to=RULES_PAGE,
        )
    except LastWords:
        messages.error(request, _("These are its only words. Remove the whole rule instead."))
        return redirect(RULES_PAGE)


@require_POST
@permission_required(Permission.SITE)
def remove_rule(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Removes a rule. Does nothing if it is already gone."""
    return remove_and_say(
        request,
        lambda: writes.remove_rule(by=request.user, rule_id=rule_id),
        _("Rule removed."),
        to=RULES_PAGE,
    )


@require_POST
@permission_required(Permission.SITE)
def move_rule(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Moves a rule one place up or down."""
    if request.POST.get("to") not in ("up", "down"):
        raise BadRequest("to is up or down")
    writes.move_rule(by=request.user, rule_id=rule_id, up=request.POST["to"] == "up")
    return redirect(f"{RULES_PAGE}#rule-{rule_id}")


def _is_rule_saved(request: SiteRequest, form: forms.Form, rule_id: str = "") -> bool:
    values = form.cleaned_data | {"language": asked_language(request)}
    with say_why_not(form, "title", _("There is already a rule with this title. Choose another.")):
        writes.save_rule(by=request.user, rule_id=rule_id, **values)
    return form.is_valid()


def _found_rule(rule_id: str) -> Rule:
    for one in read_site_rules().rules:
        if one.rule_id == rule_id:
            return one
    raise NotFound("no such rule")


def _words_of_rule(rule: Rule, language: str) -> dict[str, str]:
    """Returns the words to change: those in this language, or the built-in ones. A reason that nobody wrote stays
    empty."""
    if language not in rule.written and not rule.is_built_in:
        return {}
    words = rule.words_in(language)
    return {"title": words.title, "reason": words.reason, "text": words.text}


PRESETS_PAGE = "/moderation/presets"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def presets(request: SiteRequest) -> HttpResponse:
    """Shows all templates by action, and a form for a new one."""
    form = NewPresetForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and _is_preset_saved(request, form):
        messages.success(request, _("Template added."))
        return redirect(PRESETS_PAGE)
    site = read_site_rules()
    groups = [
        (
            label,
            [
                (one, rule_of(rule_for(one)).title if rule_for(one) else "", languages_of(one))
                for one in site.presets_for(action)
            ],
        )
        for action, label in ACTIONS
    ]
    context = {
        "groups": [(label, found) for label, found in groups if found],
        "gaps": list_gaps(site.presets),
        "form": form,
        "most": writes.MOST_PRESETS,
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
    initial = {
        "action": found.action,
        "rule": found.rule_id,
        "title": own.title,
        "text": own.text,
    }
    form = PresetForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid() and _is_preset_saved(request, form, preset_id):
        messages.success(request, _("Template saved."))
        return redirect(PRESETS_PAGE)
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
def remove_preset_words(request: SiteRequest, preset_id: str) -> HttpResponse:
    """Removes the words of a template in one language. Does nothing if there are none."""
    language = asked_language(request)
    try:
        return remove_and_say(
            request,
            lambda: writes.remove_preset_words(
                by=request.user, preset_id=preset_id, language=language
            ),
            _("Words removed."),
            to=PRESETS_PAGE,
        )
    except LastWords:
        messages.error(request, _("These are its only words. Remove the whole template instead."))
        return redirect(PRESETS_PAGE)


@require_POST
@permission_required(Permission.SITE)
def remove_preset(request: SiteRequest, preset_id: str) -> HttpResponse:
    """Removes a template. Does nothing if it is already gone."""
    return remove_and_say(
        request,
        lambda: writes.remove_preset(by=request.user, preset_id=preset_id),
        _("Template removed."),
        to=PRESETS_PAGE,
    )


def _is_preset_saved(request: SiteRequest, form: forms.Form, preset_id: str = "") -> bool:
    values = form.cleaned_data | {"language": asked_language(request)}
    with say_why_not(
        form, "title", _("There is already a template with this title. Choose another.")
    ):
        writes.save_preset(by=request.user, preset_id=preset_id, **values)
    return form.is_valid()


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


HOURS = {"1": 1, "6": 6, "24": 24, "72": 72}
NOW = "0"


@require_POST
@permission_required(Permission.CASES, Permission.SITE)
def slow_down(request: SiteRequest) -> HttpResponse:
    """Slows the site down for as many hours as are asked for, or ends that (`hours=0`)."""
    asked = request.POST.get("hours", "")
    if asked == NOW:
        writes.speed_up(by=request.user)
        messages.success(request, _("The site is back to its usual settings."))
    elif asked in HOURS:
        writes.slow_down(by=request.user, hours=HOURS[asked])
        messages.success(request, _("The site is slowed down."))
    else:
        raise BadRequest("no such time")
    is_moderator = Permission.CASES in permissions_of(request.user)
    return redirect("/moderation/waves" if is_moderator else "/moderation/site")
