"""What staff do on the page of a case for somebody in danger: kind words, and the steps of the checklist."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.requests import SiteRequest
from moderation.case_pages.answers import case_context, case_required, place_of, read_page, url_of
from moderation.cases.reads import CaseId
from moderation.danger.forms import SendHelpForm
from moderation.danger.reads import was_sent
from moderation.danger.writes import HelpStep, kind_words, send_help, tick_step
from socialsite.table import NotFound
from socialsite.web.fragments import form_page, wanted_state


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
        if not was_sent(case_id.subject_id, form.cleaned_data["words"]):  # by a form sent twice
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
