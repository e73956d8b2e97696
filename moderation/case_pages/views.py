"""The queue, tab by tab, and taking several of its cases at once; a case on one page, with notes, reviewing, assigning,
undoing, answering an appeal, and its zip. Photos, pictures and posts that were not for everyone show once the log has
noted that the moderator looks, and for this time only."""

import re
from datetime import date, timedelta

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import retarget

from accounts.people.viewer import Viewer
from accounts.permissions import (
    JUNIOR,
    Permissions,
    is_junior,
    list_staff,
    permissions_of,
    permissions_of_role,
)
from accounts.requests import SiteRequest
from moderation.case_pages.answers import (
    case_context,
    case_looked_at,
    case_required,
    next_url,
    place_of,
    queue_required,
    read_page,
    show_case,
    url_of,
)
from moderation.case_pages.page import CasePage, what_moved
from moderation.cases.cards import LANGUAGES
from moderation.cases.effects import undo_action
from moderation.cases.export import export_case
from moderation.cases.forms import AnswerForm, NoteForm
from moderation.cases.photo_cards import PhotoCard
from moderation.cases.photos import may_open
from moderation.cases.queue_place import QueuePlace, QueueTab, cases_of, read_done, tabs_open_to
from moderation.cases.reads import CaseId, CaseMoved, kinds_open_to, permission_for, seen_case
from moderation.cases.writes import (
    MOST_AT_ONCE,
    AlreadyAnswered,
    Claimed,
    LeftToOthers,
    OwnDecision,
    Result,
    add_note,
    answer_appeal,
    assign_case,
    claim_case,
    leave_case,
    look_at_messages,
    look_at_photo,
    reveal_evidence,
    take_cases,
)
from moderation.desks.forms import FilterForm
from moderation.desks.reads import get_desk_top
from moderation.pictures.reads import looks_of
from moderation.staff.nav import count_tabs, shown_count, staff_tabs
from moderation.suspicions.reads import hints_shown_to, list_hints
from photos.files import COPIED, open_copy
from photos.reads import seconds_left
from photos.views import picture_response
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import NotFound
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment, wanted_state

MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])")


@require_safe
def begin_queue(request: SiteRequest) -> HttpResponse:
    """Leads to the first staff page that the viewer may open."""
    groups = staff_tabs(permissions_of(request.user))
    if not groups:
        raise NotFound("not of the staff")
    return redirect(groups[0].tabs[0].href)


@require_safe
@queue_required
def queue(request: SiteRequest, place: QueuePlace) -> HttpResponse:
    """Shows one tab, and hints at waves above the first reports. htmx gets the next rows."""
    month, permissions = _month(request), permissions_of(request.user)
    cursor = cursor_of(request)
    page = cases_of(place, request.user, permissions, month=month, cursor=cursor)
    asked = {**place.asked, **({"month": month} if place.is_closed else {})}
    context = {
        "place": place,
        "tabs": _with_counts(place, request.user, permissions),
        "rows": page.items,
        "has_bulk": not place.is_closed,
        "hints": list_hints(hints_shown_to(permissions), viewer_id=request.user.user_id)
        if place.tab == QueueTab.REPORTS and not cursor
        else (),
        "done": read_done(request.GET.get("done", "")),
        "top": get_desk_top(request.user) if not request.htmx else None,
        "filter_form": FilterForm(),
        "reasons": [(rule.rule_id, rule.reason) for rule in site_rules().rules],
        "site_languages": [*LANGUAGES.items()],
        **_months(month),
        **neighbours(request, page, **asked),
    }
    return page_or_fragment(
        request, "moderation/cases/queue.html", "moderation/cases/_case_rows.html", context
    )


def _with_counts(
    place: QueuePlace, viewer: Viewer, permissions: Permissions
) -> list[tuple[str, str, bool, int, str]]:
    """Returns the tabs, each with the number of its cases and how that is written."""
    counts = count_tabs(viewer, permissions)
    open_tabs = tabs_open_to(permissions, junior=is_junior(viewer))
    tabs = zip(open_tabs, place.links(open_tabs), strict=True)
    return [(*link, counts.get(tab, 0), shown_count(counts.get(tab, 0))) for tab, link in tabs]


@require_POST
@queue_required
def in_bulk(request: SiteRequest, place: QueuePlace) -> HttpResponse:
    """Assigns the chosen cases to the viewer. Leaves cases alone that are closed meanwhile. Changes nothing if the
    viewer may not open all of them. What else is done to several cases at once is a wave (`moderation/waves/`)."""
    chosen = [seen_case(value) for value in request.POST.getlist("targets")]
    if not {seen.case_id.kind for seen in chosen} <= kinds_open_to(permissions_of(request.user)):
        raise NotFound("not permitted")
    if len(chosen) > MOST_AT_ONCE:
        raise BadRequest("too many at once")
    if not chosen:
        messages.error(request, _("Choose a case first."))
        return redirect(place.url)
    if request.POST.get("act") != "take":
        raise BadRequest("no such act")
    result = take_cases(by=request.user, cases=chosen)
    text = ngettext("%(n)d case assigned to you", "%(n)d cases assigned to you", result.done)
    messages.success(request, _summed_up(text, result))
    return redirect(place.url)


def _summed_up(text: str, result: Result) -> str:
    done = text % {"n": result.done}
    if not result.moved:
        return f"{done}."
    moved = ngettext(
        "%(n)d skipped because of changes", "%(n)d skipped because of changes", result.moved
    )
    return f"{done}, {moved % {'n': result.moved}}."


def _month(request: SiteRequest) -> str:
    month = request.GET.get("month", "")
    if month and not MONTH.fullmatch(month):
        raise BadRequest("no such month")
    return month or f"{now():%Y-%m}"


def _months(month: str) -> dict[str, str]:
    """Returns the month of the closed cases in words, with its neighbours."""
    first = date.fromisoformat(f"{month}-01")
    later = (first + timedelta(days=31)).replace(day=1)
    return {
        "month": month,
        "month_text": date_format(first, "YEAR_MONTH_FORMAT"),
        "month_before": f"{first - timedelta(days=1):%Y-%m}",
        "month_after": f"{later:%Y-%m}" if later <= now().date() else "",
    }


@require_safe
@case_required
def case_page(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Shows the case, with the queue beside it."""
    page = read_page(request, case_id)
    return show_case(request, page)


@require_POST
@case_required
def note(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Leaves a note for other moderators. A form that is sent twice leaves one note."""
    form = NoteForm(request.POST)
    page = read_page(request, case_id)
    if not form.is_valid():
        if not request.htmx:
            return show_case(request, page, status=422, note_form=form)
        context = case_context(request, page, note_form=form)
        return render(request, "moderation/cases/_notes.html", context, status=422)
    text = form.cleaned_data["text"]
    last = page.file.notes[-1] if page.file.notes else None
    is_own = last and last.moderator and last.moderator.user_id == request.user.user_id
    if not (last and is_own and last.text == text):
        add_note(by=request.user, case_id=case_id, text=text)
    if not request.htmx:
        return redirect(url_of(case_id, place_of(request, page)))
    page = read_page(request, case_id)
    return render(request, "moderation/cases/_notes.html", case_context(request, page))


@require_POST
@case_looked_at
def reveal(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Shows the posts that were not for everyone, only this time. The log says at which the viewer looked."""
    hidden = read_page(request, case_id).file.hidden_posts
    if not hidden:
        raise NotFound("nothing is covered here")
    reveal_evidence(by=request.user, case_id=case_id, posts=hidden)
    page = read_page(request, case_id, revealed=hidden)
    return _shown_once(request, page, "moderation/cases/_evidence.html", is_revealed=True)


@require_POST
@case_looked_at
def show_messages(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Shows the words of reported private messages, only this time. The log says that the viewer looked."""
    messages_of_case = sum(
        len(one.messages) for one in read_page(request, case_id).file.conversations
    )
    if not messages_of_case:
        raise NotFound("no messages here")
    look_at_messages(by=request.user, case_id=case_id, messages=messages_of_case)
    page = read_page(request, case_id, shows_messages=True)
    return _shown_once(request, page, "moderation/cases/_said.html", is_said=True)


def _shown_once(request: SiteRequest, page: CasePage, fragment: str, **what: bool) -> HttpResponse:
    """Answers with what was covered, as a fragment or on the page, which no browser keeps."""
    if request.htmx:
        response = render(request, fragment, case_context(request, page, **what))
    else:
        response = show_case(request, page, **what)
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@case_required
def undo(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Undoes an action, and so grants the appeal against it."""
    page = read_page(request, case_id)
    action_id = request.POST.get("action_id", "")
    action = next((one for one in page.file.actions if one.action_id == action_id), None)
    if action is None or not (action.is_undone or page.may_undo(action)):
        raise NotFound("nothing to undo")
    try:
        undo_action(by=request.user, case_id=case_id, action_id=action_id)
    except CaseMoved:
        page = read_page(request, case_id)
        return show_case(request, page, status=409, moved=what_moved(page))
    messages.success(request, _("Undone."))
    return redirect(url_of(case_id, place_of(request, page)))


@require_POST
@case_looked_at
def claim(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Starts the viewer's review (`on=1`), so that nobody else decides the case meanwhile, or ends it (`on=0`). Who
    leaves an appeal to others begins none."""
    on, is_left = wanted_state(request), False
    try:
        if on:
            claim_case(by=request.user, case_id=case_id)
        else:
            leave_case(by=request.user, case_id=case_id)
    except LeftToOthers:
        is_left = True
    except Claimed:
        page = read_page(request, case_id)
        if request.htmx:  # a dialog may be open, and what is typed in it stays
            context = case_context(request, page)
            response = render(request, "moderation/cases/_claimed.html", context, status=409)
            return retarget(response, "#looking")
        return show_case(request, page, status=409, moved=what_moved(page))
    if request.htmx:
        context = {
            "case_url": case_id.url,
            "query": request.GET.urlencode(),
            "is_mine": on and not is_left,
            "is_left": is_left,
            "is_answer": True,
        }
        return render(request, "moderation/cases/_looking.html", context)
    return redirect(url_of(case_id, place_of(request, read_page(request, case_id))))


@require_http_methods(["GET", "HEAD", "POST"])
@case_required
def assign(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Asks for a moderator, then assigns the case. Without a moderator it goes back to its queue."""
    page = read_page(request, case_id)
    staff = [
        person
        for person in list_staff()
        if permission_for(case_id.kind) in permissions_of_role(person.role)
        and not (page.file.person and person.user_id == page.file.person.user_id)
        and not (page.file.case.raised and person.role == JUNIOR)
    ]
    place = place_of(request, page)
    if request.method != "POST":
        context = {"page": page, "case": page.file.case, "staff": staff, "place": place}
        return page_or_fragment(
            request, "moderation/cases/assign.html", "moderation/cases/_assign.html", context
        )
    moderator_id = request.POST.get("moderator", "")
    chosen = next((person for person in staff if person.user_id == moderator_id), None)
    if moderator_id and chosen is None:
        raise BadRequest("nobody of the staff")
    try:
        assign_case(by=request.user, case_id=case_id, moderator_id=moderator_id)
    except CaseMoved:
        page = read_page(request, case_id)
        return show_case(request, page, status=409, moved=what_moved(page))
    if chosen is None:
        messages.success(request, _("Case returned to the queue."))
    elif chosen.user_id == request.user.user_id:
        messages.success(request, _("Case assigned to you."))
    else:
        text = _("Case assigned to %(name)s.")
        messages.success(request, text % {"name": chosen.name})
    return redirect(url_of(case_id, place))


@require_POST
@case_required
def answer_an_appeal(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Answers the open appeal. If it is granted or rejected, the next case opens."""
    page = read_page(request, case_id)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return show_case(request, page, status=422, answer_form=form)
    if page.appealed is None:
        return _moved_appeal(request, case_id, form)
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
        return _moved_appeal(request, case_id, form)
    place = place_of(request, page)
    if form.grant is None:
        messages.success(request, _("Question sent. They can read it now."))
        return redirect(url_of(case_id, place))
    messages.success(request, _("Appeal granted.") if form.grant else _("Appeal rejected."))
    return redirect(next_url(request, place, after=case_id))


def _moved_appeal(request: SiteRequest, case_id: CaseId, typed: AnswerForm) -> HttpResponse:
    """Shows the case as it is now, with what was typed, so that the moderator can send it again."""
    page = read_page(request, case_id)
    initial = {"version": page.file.case.version, "words": typed.cleaned_data["words"]}
    form = AnswerForm(initial=initial)
    return show_case(request, page, status=409, answer_form=form, moved=what_moved(page))


@require_POST
@case_looked_at
def show_photo(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Shows one photo. The log says at which the viewer looked."""
    page = read_page(request, case_id)
    photo = _photo_of(page, request.POST.get("photo", ""), request.POST.get("of", ""))
    look_at_photo(
        by=request.user,
        case_id=case_id,
        post_id=photo.post_id,
        photo_id=photo.photo_id,
        of_message=bool(photo.message_id),
    )
    opened = photo.opened(case_id, viewer_id=request.user.user_id)
    if request.htmx:
        context = case_context(request, page, photo=opened, pause=looks_of(request.user))
        response = render(request, "moderation/cases/_photo.html", context)
    else:
        response = show_case(request, page, opened=opened, pause=looks_of(request.user))
    response["Cache-Control"] = "no-store"
    return response


@require_safe
@case_required
def photo_file(request: SiteRequest, case_id: CaseId) -> HttpResponseBase:
    """Serves the copy of a reported photo to the moderator for whom the address was made. Does not ask the table."""
    name, hour = request.GET.get("n", ""), request.GET.get("e", "")
    viewer_id, signature = request.user.user_id, request.GET.get("s", "")
    if not may_open(case_id, name, hour=hour, signature=signature, viewer_id=viewer_id):
        raise NotFound("not for this viewer")
    response = picture_response(open_copy(case_id.subject_id, name), COPIED)
    response["Cache-Control"] = f"private, max-age={seconds_left(hour)}, immutable"
    return response


def _photo_of(page: CasePage, photo_id: str, shown_in: str) -> PhotoCard:
    """Returns a photo of the case. Browsers make the ids of photos, so two may have the same: then the one of that post
    or message, if it is named. Raises `NotFound`, also if there is no picture of it."""
    for one in page.file.photos:
        if one.photo_id == photo_id and one.can_be_opened and shown_in in ("", one.shown_in):
            return one
    raise NotFound("no such photo")


@require_POST
@case_required
def export(request: SiteRequest, case_id: CaseId) -> HttpResponseBase:
    """Hands out the case as a file, with the moderators' notes if `notes` is checked. Each time is an entry in the
    log."""
    name = f"case-{case_id}-{timezone.localdate():%Y-%m-%d}.zip"
    with_notes = bool(request.POST.get("notes"))
    file = export_case(by=request.user, case_id=case_id, with_notes=with_notes)
    response = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    response["Cache-Control"] = "no-store"
    return response
