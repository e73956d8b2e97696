"""What changed in a case while its dialog is open. The dialog asks every few seconds; what was typed stays in it."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from moderation.cases.case_guards import case_required
from moderation.cases.cases import CaseId
from moderation.cases.open_dialogs import get_dialog_state
from moderation.cases.pages.moved import what_moved
from moderation.cases.pages.news import latest_reports, news_url
from moderation.cases.views.case_answers import read_page
from moderation.cases.views.decide import decide_form, step_of


@require_safe
@case_required
def news(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Says that the case changed since `version`, nothing (204) if the dialog was `told`. With `look` it shows what was
    added, and the decision is then one about the case as it is now."""
    version, looks = request.GET.get("version", ""), "look" in request.GET
    state = get_dialog_state(case_id, by=request.user)
    if state == request.GET.get("told") and not looks:
        return HttpResponse(status=204)
    page = read_page(request, case_id)
    step = step_of(page, request.GET.get("action", ""))
    seen = int(version) if version.isdecimal() else page.file.case.version
    now = page.file.case.version if looks else seen
    chosen = {"posts": request.GET.getlist("posts")}
    context = {
        "page": page,
        "version": now,
        "moved": what_moved(page) if state != str(now) else "",
        "is_told_only": page.file.case.version != now,
        "news": latest_reports(page, seen) if looks else [],
        "news_url": news_url(page, action=step.kind, version=str(now)),
        "form": decide_form(page, step, initial=chosen),
        "looks": looks,
    }
    return render(request, "moderation/cases/_news.html", context)
