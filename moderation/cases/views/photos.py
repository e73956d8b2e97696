"""The photos of a case, and the pictures of its profile: each shows once the log has noted that the moderator looks,
and for this time only."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SiteRequest
from moderation.cases.case_guards import case_looked_at, case_required
from moderation.cases.cases import CaseId
from moderation.cases.pages.case_page import CasePage
from moderation.cases.pages.photo_cards import PhotoCard
from moderation.cases.photos.addresses import may_open
from moderation.cases.services.look_at_photo import look_at_photo
from moderation.cases.views.case_answers import case_context, read_page, show_case
from photos.addresses import seconds_left
from photos.copies import COPIED, open_copy
from photos.responses import picture_response
from socialsite.table.errors import NotFound


@require_POST
@case_looked_at
def look(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Shows one photo. The log says at which the viewer looked."""
    page = read_page(request, case_id)
    photo = _photo_of(page, request.POST.get("photo", ""))
    look_at_photo(by=request.user, case_id=case_id, post_id=photo.post_id, photo_id=photo.photo_id)
    opened = photo.opened(case_id, viewer_id=request.user.user_id)
    if request.htmx:
        context = case_context(request, page, photo=opened)
        response = render(request, "moderation/cases/_photo.html", context)
    else:
        response = show_case(request, page, opened=opened)
    response["Cache-Control"] = "no-store"
    return response


@require_safe
@case_required
def file(request: SiteRequest, case_id: CaseId) -> HttpResponseBase:
    """Serves the copy of a reported photo to the moderator for whom the address was made. Does not ask the table."""
    name, hour = request.GET.get("n", ""), request.GET.get("e", "")
    viewer_id, signature = request.user.user_id, request.GET.get("s", "")
    if not may_open(case_id, name, hour=hour, signature=signature, viewer_id=viewer_id):
        raise NotFound("not for this viewer")
    response = picture_response(open_copy(case_id.subject_id, name), COPIED)
    response["Cache-Control"] = f"private, max-age={seconds_left(hour)}, immutable"
    return response


def _photo_of(page: CasePage, photo_id: str) -> PhotoCard:
    """Returns a photo of the case. Raises `NotFound`, also if there is no picture of it."""
    for one in page.file.photos:
        if one.photo_id == photo_id and one.can_be_opened:
            return one
    raise NotFound("no such photo")
