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
from moderation.rules.forms.site_rules import RuleForm
from moderation.rules.services import site as service
from moderation.rules.views.refusals import say_why_not
from moderation.rules.views.removal import remove_and_say
from socialsite.site.site_rules import read_site_rules
from socialsite.table.errors import NotFound
from socialsite.web.fragments import form_page

PAGE = "/moderation/rules"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def rules(request: SiteRequest) -> HttpResponse:
    """Shows all rules in order, and a form for a new one."""
    form = RuleForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and _is_saved(request, form):
        messages.success(request, _("Rule added."))
        return redirect(PAGE)
    context = {"rules": read_site_rules().rules, "form": form, "most": service.MOST_RULES}
    return form_page(request, "moderation/rules/rules.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def rule(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Shows and saves one rule."""
    found = next((one for one in read_site_rules().rules if one.rule_id == rule_id), None)
    if found is None:
        raise NotFound("no such rule")
    initial = {
        "title": found.title,
        "reason": found.own_reason if found.own_title else found.reason,
        "text": found.text,
        "severity": found.severity,
    }
    form = RuleForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid() and _is_saved(request, form, rule_id):
        messages.success(request, _("Rule saved."))
        return redirect(PAGE)
    context = {"rule": found, "form": form}
    return form_page(request, "moderation/rules/rule.html", context)


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
    with say_why_not(form, "title", _("There is already a rule with this title. Choose another.")):
        service.save_rule(by=request.user, rule_id=rule_id, **form.cleaned_data)
    return form.is_valid()
