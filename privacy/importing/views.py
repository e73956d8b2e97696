"""The page on which people bring things from elsewhere, with how far that is, and the report of each file."""

from collections.abc import Iterator

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.people.viewer import Viewer
from accounts.requests import SiteRequest, sign_in_required
from privacy.importing.forms import MOST_BYTES, ImportForm
from privacy.importing.outcomes import FileKind
from privacy.importing.reads import (
    PARTS_A_PAGE,
    TransferState,
    get_transfer,
    list_report,
    list_transfers,
)
from privacy.importing.writes import (
    bring,
    count_form,
    count_try,
    delete_report,
    stop_bringing,
)
from relations.export import write_row
from socialsite.web.bodies import takes_upload
from socialsite.web.fragments import page_or_fragment
from socialsite.web.limits import EXPORTS, count_hits

PAGE = "/settings/import"
# Blocks and mutes come first, and posts last, as they take longest.
ORDER = (
    *(FileKind.BLOCKS, FileKind.MUTES, FileKind.FOLLOWS, FileKind.LISTS),
    *(FileKind.BOOKMARKS, FileKind.POSTS),
)


@takes_upload(MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
def bring_files(request: SiteRequest) -> HttpResponse:
    """Shows the files that were brought and how far each is, and to htmx that alone. A POST brings files."""
    by = request.user
    form = ImportForm(viewer=by)
    if request.method == "POST":
        count_try(by=by)
        form = ImportForm(request.POST, request.FILES, viewer=by)
        if form.is_valid():
            count_form(by=by)
            host = request.get_host().lower()
            for kind in ORDER:
                if kind in form.lines:
                    bring(by=by, file_kind=kind, lines=form.lines[kind], host=host)
            messages.success(request, _("We’re on it. You can leave this page meanwhile."))
            return redirect(PAGE)
    transfers = list_transfers(by)
    context = {
        "form": form,
        "transfers": transfers,
        "is_working": any(one.is_working for one in transfers),
    }
    status = 422 if form.is_bound else 200
    fragment = "privacy/importing/_transfers.html"
    return page_or_fragment(
        request, "privacy/importing/import.html", fragment, context, status=status
    )


@require_safe
@never_cache
@sign_in_required
def report(request: SiteRequest, transfer_id: str) -> HttpResponse:
    """Shows what became of the lines of a file, some parts a page."""
    found = get_transfer(request.user, transfer_id)
    start = _start_of(request)
    following = start + PARTS_A_PAGE
    context = {
        "transfer": found,
        "lines": list_report(request.user, transfer_id, start=start),
        "older_url": f"{found.url}?from={following}" if following < found.parts else "",
        "newer_url": f"{found.url}?from={max(0, start - PARTS_A_PAGE)}" if start else "",
    }
    return page_or_fragment(
        request, "privacy/importing/report.html", "privacy/importing/_report_lines.html", context
    )


def _start_of(request: SiteRequest) -> int:
    text = request.GET.get("from", "0")
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise BadRequest("from is a number")
    return int(text)


@require_safe
@never_cache
@sign_in_required
def send_report(request: SiteRequest, transfer_id: str) -> HttpResponseBase:
    """Sends the report as a CSV file, while it is read."""
    by = request.user
    found = get_transfer(by, transfer_id)
    count_hits((EXPORTS, by.user_id))
    site = f"{request.scheme}://{request.get_host()}"
    response = StreamingHttpResponse(_rows(by, found, site), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.file_name}"'
    response["Cache-Control"] = "private, no-store"
    return response


def _rows(by: Viewer, found: TransferState, site: str) -> Iterator[str]:
    yield write_row((_("Line"), _("What it said"), _("What it became"), _("Address")))
    for start in range(0, found.parts, PARTS_A_PAGE):
        for one in list_report(by, found.transfer_id, start=start):
            address = f"{site}{one.url}" if one.url else ""
            yield write_row((str(one.line.number), one.line.said, one.became, address))


@require_POST
@sign_in_required
def stop(request: SiteRequest, transfer_id: str) -> HttpResponse:
    """Stops bringing a file. What was brought stays."""
    stop_bringing(by=request.user, transfer_id=transfer_id)
    messages.success(request, _("Stopped. What we brought until now stays."))
    return redirect(PAGE)


@require_POST
@sign_in_required
def delete(request: SiteRequest, transfer_id: str) -> HttpResponse:
    """Deletes a report. What was brought stays."""
    delete_report(by=request.user, transfer_id=transfer_id)
    messages.success(request, _("Report deleted. What we brought stays."))
    return redirect(PAGE)
