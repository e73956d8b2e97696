"""Reviewing a case, and assigning it."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import retarget

from accounts.permissions import list_staff, permissions_of_role
from accounts.requests import SiteRequest
from moderation.cases.case_guards import case_looked_at, case_required
from moderation.cases.case_permissions import permission_for
from moderation.cases.cases import CaseId, CaseMoved
from moderation.cases.pages.moved import what_moved
from moderation.cases.services.claim import (
    Claimed,
    LeftToOthers,
    assign_case,
    claim_case,
    leave_case,
)
from moderation.cases.views.case_answers import (
    case_context,
    place_of,
    read_page,
    show_case,
    url_of,
)
from socialsite.web.fragments import page_or_fragment, wanted_state


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
