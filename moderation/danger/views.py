"""The page for people in danger, the staff page of who helps, and what staff do on the page of a case."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.guards import permission_required
from accounts.permissions import Permission, list_roles
from accounts.requests import SiteRequest
from moderation.case_pages.answers import case_context, case_required, place_of, read_page, url_of
from moderation.cases.reads import CaseId
from moderation.danger.forms import HelpLinesForm, SendHelpForm
from moderation.danger.reads import find_offer
from moderation.danger.writes import HelpStep, kind_words, save_help, send_help, tick_step
from socialsite.site_settings.help_lines import EVERYWHERE, as_text
from socialsite.site_settings.site_rules import read_site_rules, site_rules
from socialsite.table import NotFound
from socialsite.web.fragments import form_page, wanted_state

LINES_PAGE = "/moderation/help"


@require_safe
def help_now(request: SiteRequest) -> HttpResponse:
    """Shows who helps, in the reader's country first, and what moderators wrote to them. For everyone, signed in or
    not."""
    here, elsewhere = site_rules().help_for(get_current_timezone_name())
    offer = find_offer(request.user) if request.user.is_authenticated else None
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


@require_http_methods(["GET", "HEAD", "POST"])
@case_required
def help_person(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Asks for the words to somebody in danger, then sends them. They are no strike."""
    page = read_page(request, case_id)
    if not page.may_help:
        raise NotFound("nobody to help")
    initial = {"words": kind_words(page.file.language)}
    form = SendHelpForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        send_help(by=request.user, case_id=case_id, text=form.cleaned_data["words"])
        messages.success(request, _("Sent. They were told."))
        address = url_of(case_id, place_of(request, page))
        return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
    return form_page(
        request,
        "moderation/danger/send_help.html",
        case_context(request, page, form=form),
        fragment="moderation/danger/_send_help.html",
    )


@require_POST
@case_required
def tick(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Ticks a step of the checklist (`on=1`), or takes the tick back (`on=0`)."""
    page = read_page(request, case_id)
    if not page.may_help:
        raise NotFound("nothing to tick")
    try:
        step = HelpStep(request.GET.get("step", ""))
    except ValueError as error:
        raise BadRequest("no such step") from error
    tick_step(by=request.user, case_id=case_id, step=step, done=wanted_state(request))
    return redirect(url_of(case_id, place_of(request, page)))
