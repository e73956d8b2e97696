"""Decides who may open the queue and a case. Sign-ups need another permission than the rest, and nobody can open a case
about themselves."""

from collections.abc import Callable
from functools import wraps

from django.http.response import HttpResponseBase
from django.shortcuts import render

from accounts.guards import is_change, never, permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.cases.case_permissions import permission_for
from moderation.cases.cases import CaseId
from moderation.cases.pages.queue_place import QueuePlace, first_tab, needed
from moderation.cases.services.decide import OwnCase
from moderation.models import ActionKind, CaseKind
from moderation.staff.nav import count_soon

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
    return kind != ActionKind.SUSPEND or Permission.SUSPEND in permissions_of(request.user)


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
