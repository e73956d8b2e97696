"""Who may open the queue and a case: sign-ups need another permission than the rest, and nobody opens a case about
themselves."""

from collections.abc import Callable
from functools import wraps

from django.http.response import HttpResponseBase
from django.shortcuts import render

from accounts.guards import permission_required
from accounts.permissions import Permission, permissions_of
from moderation.cases import CaseId
from moderation.models import ActionKind, CaseKind
from moderation.queue_place import QueuePlace, needed
from moderation.services.decide import OwnCase
from socialsite.web.requests import SiteRequest

QueueView = Callable[[SiteRequest, QueuePlace], HttpResponseBase]
CaseView = Callable[[SiteRequest, CaseId], HttpResponseBase]


def queue_required(view: QueueView) -> Callable[[SiteRequest], HttpResponseBase]:
    """Gives the view the place in the queue that the address names, to who has a permission for it; to others it is
    not there."""

    @wraps(view)
    def of_address(request: SiteRequest) -> HttpResponseBase:
        place = QueuePlace.from_query(request.GET)
        permission = next(iter(needed(place.tab) & permissions_of(request.user)), Permission.CASES)
        return permission_required(permission)(view)(request, place)

    return of_address


def case_required(view: CaseView) -> Callable[[SiteRequest, CaseKind, str], HttpResponseBase]:
    """Gives the view the case of its address, to who has the permission for its kind; to others it is not there."""
    guarded = {
        kind: permission_required(permission_for(kind))(_not_about_oneself(view))
        for kind in CaseKind
    }

    @wraps(view)
    def of_address(request: SiteRequest, kind: CaseKind, subject_id: str) -> HttpResponseBase:
        return guarded[kind](request, CaseId(kind, subject_id))

    return of_address


def permission_for(kind: CaseKind) -> Permission:
    return Permission.SIGN_UPS if kind == CaseKind.SIGN_UP else Permission.CASES


def may_do(request: SiteRequest, kind: ActionKind) -> bool:
    """Whether who has the permission for the case may do this about it, or undo it."""
    return kind != ActionKind.SUSPEND or Permission.SUSPEND in permissions_of(request.user)


def _not_about_oneself(view: CaseView) -> CaseView:
    """Who reported one is not for oneself to see."""

    @wraps(view)
    def guarded(request: SiteRequest, case_id: CaseId) -> HttpResponseBase:
        try:
            if case_id.kind != CaseKind.POST and case_id.subject_id == request.user.user_id:
                raise OwnCase
            return view(request, case_id)
        except OwnCase:
            return render(request, "moderation/own_case.html", status=403)

    return guarded
