"""On the page of a case: asking a senior, and the senior's answer."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from accounts.permissions import is_junior
from accounts.requests import SiteRequest
from moderation.case_pages.answers import (
    case_context,
    case_required,
    next_url,
    place_of,
    read_page,
    show_case,
)
from moderation.case_pages.page import what_moved
from moderation.cases.reads import CaseId, CaseMoved
from moderation.seniors.forms import AnswerJuniorForm, AskForm
from moderation.seniors.writes import answer_junior, ask_senior
from socialsite.table import NotFound
from socialsite.web.fragments import form_page


@require_http_methods(["GET", "HEAD", "POST"])
@case_required
def ask(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Asks for a note, then puts the case before the seniors and opens the next one of the list."""
    page = read_page(request, case_id)
    if not page.file.case.is_open:
        return show_case(request, page, status=409, moved=what_moved(page))
    form = AskForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            ask_senior(by=request.user, case_id=case_id, text=form.cleaned_data["text"])
        except CaseMoved:
            page = read_page(request, case_id)
            return show_case(request, page, status=409, moved=what_moved(page))
        messages.success(request, _("Asked. You’ll be told of the answer."))
        address = next_url(request, place_of(request, page), after=case_id)
        return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
    return form_page(
        request,
        "moderation/seniors/ask.html",
        case_context(request, page, form=form),
        fragment="moderation/seniors/_ask.html",
    )


@require_http_methods(["GET", "HEAD", "POST"])
@case_required
def answer(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Asks a senior for the answer, then gives the case back and opens the next one of the list."""
    page = read_page(request, case_id)
    if is_junior(request.user):
        raise NotFound("for seniors")
    if not page.file.case.raised:
        return show_case(request, page, status=409, moved=_("Nobody waits for an answer here."))
    form = AnswerJuniorForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            to = answer_junior(by=request.user, case_id=case_id, text=form.cleaned_data["text"])
        except CaseMoved:
            page = read_page(request, case_id)
            return show_case(request, page, status=409, moved=what_moved(page))
        said = _("Answered. It’s back on their desk.") if to else _("Answered. It’s in its queue.")
        messages.success(request, said)
        address = next_url(request, place_of(request, page), after=case_id)
        return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
    return form_page(
        request,
        "moderation/seniors/answer.html",
        case_context(request, page, form=form),
        fragment="moderation/seniors/_answer.html",
    )
