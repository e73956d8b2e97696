"""The right to open the queue and a case, and the parts that all views of a case share: reading it, its page, and where
to go afterwards. Sign-ups need another permission than the rest, and nobody can open a case about themselves."""

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from accounts.guards import is_change, never, permission_required
from accounts.permissions import Permission, is_junior, outranks, permissions_of
from accounts.requests import SiteRequest
from moderation.case_pages.page import CasePage
from moderation.cases.forms import AnswerForm, NoteForm
from moderation.cases.held import look_at_held
from moderation.cases.lists import get_case, get_next_case
from moderation.cases.queue_place import (
    QueuePlace,
    QueueTab,
    cases_of,
    first_tab,
    needed,
    read_done,
)
from moderation.cases.reads import CaseId, OwnCase, kinds_open_to, permission_for
from moderation.cases.rounds import SUSPENDING, others_answer
from moderation.impersonation import find_originals, is_about_pretending
from moderation.models import ActionKind, CaseKind
from moderation.staff.nav import count_soon
from socialsite.table import NotFound

QueueView = Callable[[SiteRequest, QueuePlace], HttpResponseBase]
CaseView = Callable[[SiteRequest, CaseId], HttpResponseBase]


def queue_required(view: QueueView) -> Callable[[SiteRequest], HttpResponseBase]:
    """Gives the view the queue in the address, or the first one that the viewer may open. Answers 404 to people without
    any of its permissions."""

    @wraps(view)
    def of_address(request: SiteRequest) -> HttpResponseBase:
        place = QueuePlace.from_query(
            request.GET, otherwise=first_tab(permissions_of(request.user))
        )
        if place.tab == QueueTab.SENIORS and is_junior(request.user):
            raise NotFound("for seniors")
        response = permission_required(*needed(place.tab))(view)(request, place)
        return _counted_again(request, response)

    return of_address


def case_required(
    view: CaseView, *, changes: Callable[[SiteRequest], bool] = is_change
) -> Callable[[SiteRequest, CaseKind, str], HttpResponseBase]:
    """Gives the view the case in the address. Answers 404 to people without the permission for its kind. `changes` as
    in `permission_required`."""
    guarded = {
        kind: permission_required(permission_for(kind), changes=changes)(_not_about_oneself(view))
        for kind in CaseKind
    }

    @wraps(view)
    def of_address(request: SiteRequest, kind: CaseKind, subject_id: str) -> HttpResponseBase:
        return _counted_again(request, guarded[kind](request, CaseId(kind, subject_id)))

    return of_address


def case_looked_at(view: CaseView) -> Callable[[SiteRequest, CaseKind, str], HttpResponseBase]:
    """As `case_required`, for forms that only look or say who looks: an old proof will do."""
    return case_required(view, changes=never)


def _counted_again(request: SiteRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Makes the navigation of this process count waiting cases again after a change."""
    if request.method == "POST":
        count_soon()
    return response


def may_do(request: SiteRequest, kind: ActionKind) -> bool:
    """Whether the viewer, who may open the case, may take or undo this action."""
    return kind not in SUSPENDING or Permission.SUSPEND in permissions_of(request.user)


def _not_about_oneself(view: CaseView) -> CaseView:
    """Refuses cases about the viewer, so that nobody sees who reported them."""

    @wraps(view)
    def guarded(request: SiteRequest, case_id: CaseId) -> HttpResponseBase:
        try:
            if case_id.kind != CaseKind.POST and case_id.subject_id == request.user.user_id:
                raise OwnCase
            return view(request, case_id)
        except OwnCase:
            return render(request, "moderation/cases/own_case.html", status=403)

    return guarded


def read_page(
    request: SiteRequest,
    case_id: CaseId,
    *,
    revealed: Collection[str] = (),
    shows_messages: bool = False,
) -> CasePage:
    """Returns the case as its page shows it. Raises `NotFound`, and `OwnCase` for a case about the viewer."""
    file = get_case(case_id, revealed=revealed, shows_messages=shows_messages)
    if file.person and file.person.user_id == request.user.user_id:
        raise OwnCase
    role = file.person.role if file.person else ""
    is_above = not role or outranks(request.user, role)
    return CasePage(file, request.user, lambda kind: may_do(request, kind), is_above)


def place_of(request: SiteRequest, page: CasePage) -> QueuePlace:
    """Returns the list that the moderator came from, otherwise the case's own queue."""
    place = QueuePlace.from_query(request.GET, otherwise=page.file.case.queue)
    if place.tab == QueueTab.SENIORS and is_junior(request.user):
        return QueuePlace(QueueTab(page.file.case.queue))
    return place


def note_look(request: SiteRequest, page: CasePage) -> None:
    """Notes in the log that the viewer sees what is in the case, if it is kept by law."""
    if page.kept_by_law:
        look_at_held(by=request.user, case_id=page.case_id, person_id=page.person_id)


def case_context(request: SiteRequest, page: CasePage, **more: Any) -> dict[str, Any]:
    """Returns the context of `moderation/cases/_case.html`. The log notes each look at a case that is kept by law."""
    # An open dialog asks for previews while one types: its first page is noted already.
    if not (request.htmx and "preview" in request.POST):
        note_look(request, page)
    is_for_others = _is_for_others(request, page)
    person, reports = page.file.person, page.file.reports
    return {
        "page": page,
        "file": page.file,
        "case": page.file.case,
        "person": person,
        "originals": find_originals(person, reports)
        if person and is_about_pretending(reports)
        else None,
        "place": place_of(request, page),
        "is_for_others": is_for_others,
        "is_left": is_for_others and not page.file.case.reports,
        "may_see_people": Permission.PEOPLE in permissions_of(request.user),
        "note_form": NoteForm(),
        "answer_form": AnswerForm(initial={"version": page.file.case.version}),
        **more,
    }


def _is_for_others(request: SiteRequest, page: CasePage) -> bool:
    """Whether the viewer made the decision that is appealed, and another member of staff may answer."""
    action, person = page.appealed, page.file.person
    if action is None or person is None or not page.is_by_viewer(action):
        return False
    return others_answer(request.user, page.case_id, person.user_id, action.kind)


def show_case(
    request: SiteRequest, page: CasePage, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Shows the case's whole page, with the queue beside it."""
    context = case_context(request, page, **more)
    place = context["place"]
    rows = cases_of(place, request.user, permissions_of(request.user))
    context |= {"rows": rows.items, "has_more": bool(rows.next_cursor)}
    context["done"] = read_done(request.GET.get("done", ""))
    return render(request, "moderation/cases/case.html", context, status=status)


def url_of(case_id: CaseId, place: QueuePlace, done: str = "") -> str:
    return f"{case_id.url}?{place.query}{f'&done={done}' if done else ''}"


def next_url(request: SiteRequest, place: QueuePlace, *, after: CaseId, done: str = "") -> str:
    """Returns the address of the next open case in the list, otherwise of the list."""
    following = None
    if place.leads_on:
        following = get_next_case(
            place.partition(request.user),
            by=request.user,
            besides=after,
            severity=place.severity,
            kinds=kinds_open_to(permissions_of(request.user)),
            languages=place.languages_of(request.user),
            reason=place.reason,
            pressing=bool(place.order and place.has_order),
        )
    if following:
        return url_of(following, place, done)
    return f"{place.url}{f'&done={done}' if done else ''}"
