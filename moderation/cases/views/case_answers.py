"""The parts that all views of a case share: reading it, its page, and where to go afterwards."""

from collections.abc import Collection
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from accounts.permissions import Permission, outranks, permissions_of
from accounts.requests import SiteRequest
from moderation.cases.access_patterns import get_case
from moderation.cases.case_guards import may_do
from moderation.cases.case_permissions import kinds_open_to
from moderation.cases.cases import CaseId
from moderation.cases.forms.case_texts import AnswerForm, NoteForm
from moderation.cases.lists.next_case import get_next_case
from moderation.cases.open_appeals import others_answer
from moderation.cases.pages.case_page import CasePage
from moderation.cases.pages.done import read_done
from moderation.cases.pages.queue_place import QueuePlace, cases_of
from moderation.cases.services.decide import OwnCase


def read_page(request: SiteRequest, case_id: CaseId, *, revealed: Collection[str] = ()) -> CasePage:
    """Returns the case as its page shows it. Raises `NotFound`, and `OwnCase` for a case about the viewer."""
    file = get_case(case_id, revealed=revealed)
    if file.person and file.person.user_id == request.user.user_id:
        raise OwnCase
    role = file.person.role if file.person else ""
    is_above = not role or outranks(request.user, role)
    return CasePage(file, request.user, lambda kind: may_do(request, kind), is_above)


def place_of(request: SiteRequest, page: CasePage) -> QueuePlace:
    """Returns the list that the moderator came from, otherwise the case's own queue."""
    return QueuePlace.from_query(request.GET, otherwise=page.file.case.queue)


def case_context(request: SiteRequest, page: CasePage, **more: Any) -> dict[str, Any]:
    """Returns the context of `moderation/cases/_case.html`."""
    is_for_others = _is_for_others(request, page)
    return {
        "page": page,
        "file": page.file,
        "case": page.file.case,
        "person": page.file.person,
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
        )
    if following:
        return url_of(following, place, done)
    return f"{place.url}{f'&done={done}' if done else ''}"
