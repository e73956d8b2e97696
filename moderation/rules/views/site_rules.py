"""The site rules, which people agree to and reports name."""

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from moderation.rules.forms.site_rules import NewRuleForm, RuleForm
from moderation.rules.languages import languages_of, list_gaps, shown_language
from moderation.rules.services import site_rules as service
from moderation.rules.services.site_texts import LastWords
from moderation.rules.views.asked_language import asked_language
from moderation.rules.views.refusals import say_why_not
from moderation.rules.views.removal import remove_and_say
from socialsite.site.site_rules import read_site_rules
from socialsite.site.site_setup import Rule
from socialsite.table.errors import NotFound
from socialsite.web.fragments import form_page

PAGE = "/moderation/rules"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def rules(request: SiteRequest) -> HttpResponse:
    """Shows all rules in order, and a form for a new one."""
    form = NewRuleForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and _is_saved(request, form):
        messages.success(request, _("Rule added."))
        return redirect(PAGE)
    found = read_site_rules().rules
    context = {
        "rows": [(rule, languages_of(rule)) for rule in found],
        "gaps": list_gaps(found),
        "form": form,
        "most": service.MOST_RULES,
    }
    return form_page(request, "moderation/rules/rules.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def rule(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Shows and saves one rule in one language."""
    found = _found(rule_id)
    language = asked_language(request)
    initial = _words(found, language) | {"severity": found.severity}
    form = RuleForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid() and _is_saved(request, form, rule_id):
        messages.success(request, _("Rule saved."))
        return redirect(PAGE)
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
def remove_words(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Removes the words of a rule in one language. Does nothing if there are none."""
    language = asked_language(request)
    try:
        return remove_and_say(
            request,
            lambda: service.remove_rule_words(by=request.user, rule_id=rule_id, language=language),
            _("Words removed."),
            to=PAGE,
        )
    except LastWords:
        messages.error(request, _("These are its only words. Remove the whole rule instead."))
        return redirect(PAGE)


@require_POST
@permission_required(Permission.SITE)
def remove(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Removes a rule. Does nothing if it is already gone."""
    return remove_and_say(
        request,
        lambda: service.remove_rule(by=request.user, rule_id=rule_id),
        _("Rule removed."),
        to=PAGE,
    )


@require_POST
@permission_required(Permission.SITE)
def move(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Moves a rule one place up or down."""
    if request.POST.get("to") not in ("up", "down"):
        raise BadRequest("to is up or down")
    service.move_rule(by=request.user, rule_id=rule_id, up=request.POST["to"] == "up")
    return redirect(f"{PAGE}#rule-{rule_id}")


def _is_saved(request: SiteRequest, form: forms.Form, rule_id: str = "") -> bool:
    values = form.cleaned_data | {"language": asked_language(request)}
    with say_why_not(form, "title", _("There is already a rule with this title. Choose another.")):
        service.save_rule(by=request.user, rule_id=rule_id, **values)
    return form.is_valid()


def _found(rule_id: str) -> Rule:
    for one in read_site_rules().rules:
        if one.rule_id == rule_id:
            return one
    raise NotFound("no such rule")


def _words(rule: Rule, language: str) -> dict[str, str]:
    """Returns the words to change: those in this language, or the built-in ones. A reason that nobody wrote stays
    empty."""
    if language not in rule.written and not rule.is_built_in:
        return {}
    words = rule.words_in(language)
    return {"title": words.title, "reason": words.reason, "text": words.text}
