"""Answering an appeal: granting it, rejecting it, or asking a question."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest
from moderation.cases.case_guards import case_required
from moderation.cases.cases import CaseId, CaseMoved
from moderation.cases.forms.case_texts import AnswerForm
from moderation.cases.pages.moved import what_moved
from moderation.cases.services.appeal import AlreadyAnswered, OwnDecision, answer_appeal
from moderation.cases.views.case_answers import next_url, place_of, read_page, show_case, url_of
from socialsite.table.errors import NotFound


@require_POST
@case_required
def answer(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Answers the open appeal. If it is granted or rejected, the next case opens."""
    page = read_page(request, case_id)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return show_case(request, page, status=422, answer_form=form)
    if page.appealed is None:
        return _moved(request, case_id, form)
    if form.grant and not page.may_grant:
        raise NotFound("not permitted")
    try:
        answer_appeal(
            by=request.user,
            case_id=case_id,
            action_id=page.appealed.action_id,
            text=form.cleaned_data["words"],
            version=form.cleaned_data["version"],
            grant=form.grant,
        )
    except OwnDecision:
        return show_case(request, page, status=403, answer_form=form)
    except (CaseMoved, AlreadyAnswered):
        return _moved(request, case_id, form)
    place = place_of(request, page)
    if form.grant is None:
        messages.success(request, _("Question sent. They can read it now."))
        return redirect(url_of(case_id, place))
    messages.success(request, _("Appeal granted.") if form.grant else _("Appeal rejected."))
    return redirect(next_url(request, place, after=case_id))


def _moved(request: SiteRequest, case_id: CaseId, typed: AnswerForm) -> HttpResponse:
    """Shows the case as it is now, with what was typed, so that the moderator can send it again."""
    page = read_page(request, case_id)
    initial = {"version": page.file.case.version, "words": typed.cleaned_data["words"]}
    form = AnswerForm(initial=initial)
    return show_case(request, page, status=409, answer_form=form, moved=what_moved(page))
