"""Deciding a case: a page (for htmx a dialog) that says what will happen and what the person will read, then the
decision itself. An open dialog asks every few seconds what changed in its case; what was typed stays in it."""

from functools import partial
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect, reswap, retarget

from accounts.requests import SiteRequest
from moderation.case_pages.answers import (
    case_context,
    case_required,
    next_url,
    note_look,
    place_of,
    read_page,
    url_of,
)
from moderation.case_pages.page import CasePage, Step, latest_reports, news_url, what_moved
from moderation.cases.action_cards import ActionCard
from moderation.cases.decisions import MOST_POSTS, IsStaff, NothingToActOn, decide_case
from moderation.cases.forms import DecideForm
from moderation.cases.limits import BeyondLimits
from moderation.cases.queue_place import Done, write_done
from moderation.cases.reads import (
    CaseId,
    CaseMoved,
    Outranked,
    get_dialog_state,
    last_presets_of,
)
from moderation.cases.words import language_of
from moderation.staff.writes import remember_preset
from socialsite.table import NotFound
from socialsite.web.fragments import page_or_fragment


def _decides(request: SiteRequest) -> bool:
    return request.method == "POST" and "preview" not in request.POST


@require_http_methods(["GET", "HEAD", "POST"])
@partial(case_required, changes=_decides)
def decide(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Asks for the details and the words, and previews the message. A POST carries out the decision and opens the next
    case of the same tab."""
    page = read_page(request, case_id)
    asked = request.POST if request.method == "POST" else request.GET
    if "preview" in request.POST:  # first: one that comes late must not move the page
        return _preview(request, page, step_of(page, asked.get("action", "")))
    if _was_sent_before(request, page):
        return _go_on(request, page, page.file.case.decision)
    step = step_of(page, asked.get("action", ""))
    version = page.file.case.version
    if not page.offers(step) or asked.get("version", str(version)) != str(version):
        return _moved(request, page, step)
    if request.method != "POST":
        return _answer(request, page, step, _unsent_form(request, page, step))
    form = decide_form(page, step, request.POST)
    if not form.is_valid():
        return _answer(request, page, step, form, status=422)
    decision = form.decision()
    try:
        action_id = decide_case(
            by=request.user, case_id=case_id, decision=decision, version=version
        )
    except CaseMoved:
        return _moved(request, read_page(request, case_id), step)
    except NothingToActOn:
        form.add_error(*_nothing_left(form))
    except BeyondLimits as beyond:
        if beyond.field in form.fields:
            form.add_error(beyond.field, beyond.told)
        else:
            form.add_error(None, beyond.told)
        return _answer(request, page, step, form, status=422, asks_senior=True)
    except (IsStaff, Outranked):  # since the page was read
        return _moved(request, read_page(request, case_id), step)
    if form.errors:
        return _answer(request, page, step, form, status=422)
    if form.tells:
        preset_id = form.cleaned_data["preset"]
        remember_preset(by=request.user, action=step.kind, preset_id=preset_id)
    return _go_on(request, page, action_id, kind=step.kind, stays=decision.keep_open)


def _nothing_left(form: DecideForm) -> tuple[str, str]:
    """Returns the field and the error where nothing of what was chosen is still there."""
    if "packs" in form.fields:
        return "packs", _("These starter packs are no longer offered.")
    if "pictures" in form.fields:
        return "pictures", _("These pictures are not part of the case any more. Choose others.")
    if "parts" in form.fields:
        return "parts", _("There is nothing in these parts any more. Choose others.")
    return "posts", _("These posts were deleted or are already hidden. Choose others.")


def _preview(request: SiteRequest, page: CasePage, step: Step) -> HttpResponse:
    form = decide_form(page, step, request.POST)
    is_valid = form.is_valid()
    # An open dialog asks while one types, and once more after the decision, when its posts are hidden: no refusal.
    return _answer(request, page, step, form, status=200 if is_valid or request.htmx else 422)


def _was_sent_before(request: SiteRequest, page: CasePage) -> bool:
    """Whether this form was sent twice: the viewer has just closed the case with this very action."""
    closing = page.closing
    return (
        request.method == "POST"
        and closing is not None
        and page.is_by_viewer(closing)
        and closing.kind == request.POST.get("action")
        and request.POST.get("version") == str(page.file.case.version - 1)
    )


def step_of(page: CasePage, kind: str) -> Step:
    """Returns the action. Raises `BadRequest` if such a case does not have it, `NotFound` if the viewer may not take
    it."""
    if kind not in page.kinds:
        raise BadRequest("no such action")
    for step in page.steps:
        if step.kind == kind:
            return step
    raise NotFound("not permitted")


def decide_form(page: CasePage, step: Step, data: Any = None, **kwargs: Any) -> DecideForm:
    return DecideForm(
        data,
        kind=step.kind,
        case_kind=page.case_id.kind,
        evidence=page.file.evidence,
        packs=page.file.packs,
        pictures=page.file.photos,
        person=page.file.person,
        reasons=page.reasons,
        language=page.file.language,
        **kwargs,
    )


def _unsent_form(request: SiteRequest, page: CasePage, step: Step) -> DecideForm:
    chosen = request.GET.getlist("posts")
    posts = [card.post_id for card in page.file.evidence if card.post_id in chosen]
    posts = [*dict.fromkeys(posts)][:MOST_POSTS]
    return decide_form(
        page,
        step,
        initial={"version": page.file.case.version, "posts": posts},
        last_preset=last_presets_of(request.user.user_id).get(step.kind, ""),
    )


def _answer(
    request: SiteRequest,
    page: CasePage,
    step: Step,
    form: DecideForm,
    *,
    status: int = 200,
    moved: str = "",
    asks_senior: bool = False,
) -> HttpResponse:
    return page_or_fragment(
        request,
        "moderation/cases/decide.html",
        "moderation/cases/_decide.html",
        _context(request, page, step, form, moved=moved) | {"asks_senior": asks_senior},
        status=status,
    )


def _context(
    request: SiteRequest, page: CasePage, step: Step, form: DecideForm, *, moved: str
) -> dict[str, Any]:
    version = str(form["version"].value())
    return case_context(
        request,
        page,
        step=step,
        form=form,
        may_confirm=page.offers(step) or page.is_taken,
        notice=_notice(page, step, form),
        notice_language=language_of(page.file.language),
        back=url_of(page.case_id, place_of(request, page)),
        moved=moved,
        version=version,
        news_url=news_url(page, action=step.kind, version=version),
    )


def _notice(page: CasePage, step: Step, form: DecideForm) -> ActionCard | None:
    """Returns the decision as the person's own page will show it, None if they get no message."""
    if not form.tells:
        return None
    if not form.is_bound:
        form = decide_form(page, step, {name: form[name].initial for name in form.fields})
    form.is_valid()
    return ActionCard.foreseen(form.decision())


def _moved(request: SiteRequest, page: CasePage, step: Step) -> HttpResponse:
    """Says why the case changed, and shows it again with what was typed. An open dialog keeps what stands in it:
    it gets the reason and the new version alone."""
    moved = page.refusal_of(step.kind) or what_moved(page)
    if request.method != "POST":
        form = _unsent_form(request, page, step)
        response = _answer(request, page, step, form, status=409, moved=moved)
        return retarget(response, "#modal") if request.htmx else response
    data = request.POST.copy()
    data["version"] = str(page.file.case.version)
    form = decide_form(page, step, data)
    form.is_valid()
    if not request.htmx:
        return _answer(request, page, step, form, status=409, moved=moved)
    context = _context(request, page, step, form, moved=moved)
    sent = request.POST.get("version", "")
    context["news"] = latest_reports(page, int(sent)) if sent.isdecimal() else []
    response = render(request, "moderation/cases/_refused.html", context, status=409)
    return reswap(retarget(response, "#moved"), "outerHTML")


def _go_on(
    request: SiteRequest, page: CasePage, action_id: str, *, kind: str = "", stays: bool = False
) -> HttpResponse:
    """Leads to the next case, or back to this one. Both offer to undo the action."""
    place, handle = place_of(request, page), page.file.person.handle if page.file.person else ""
    closing = page.closing.kind if page.closing else ""
    done = write_done(Done(page.case_id, action_id, kind or closing, handle))
    to_next = next_url(request, place, after=page.case_id, done=done) if not stays else ""
    address = to_next or url_of(page.case_id, place, done)
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


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
    if looks:
        note_look(request, page)
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
