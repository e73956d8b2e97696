"""Bringing lists from elsewhere, and the report of what became of each row."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.csv_files import MOST_BYTES, FileKind, write_row
from accounts.forms.import_relations import ImportForm
from accounts.imports import ImportCard, get_import, list_import_lines, list_imports
from accounts.services import import_relations as service
from accounts.viewer import Viewer
from accounts.views.export_relations import as_download
from socialsite.web.bodies import takes_upload
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment
from socialsite.web.limits import EXPORTS, IMPORTS, count_hits
from socialsite.web.requests import SiteRequest, sign_in_required


@takes_upload(MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def data(request: SiteRequest) -> HttpResponse:
    """Offers one's own lists as files, and takes an uploaded one."""
    if request.method == "POST":
        count_hits((IMPORTS, request.user.user_id))  # refused files too: reading them costs as much
    typed = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ImportForm(*typed)
    if form.is_bound and form.is_valid():
        import_id = service.import_relations(
            by=request.user,
            kind=FileKind(form.cleaned_data["kind"]),
            rows=form.cleaned_data["rows"],
            host=request.get_host(),
        )
        return redirect("accounts:import_report", import_id)
    context = {"form": form, "imports": list_imports(request.user)}
    status = 422 if form.is_bound else 200
    return _unstored(render(request, "accounts/data.html", context, status=status))


@require_safe
@sign_in_required
def report(request: SiteRequest, import_id: str) -> HttpResponse:
    """How far an import is, then its rows; a page that waits asks again every two seconds."""
    found = get_import(request.user, import_id)
    problems_only = request.GET.get("show") == "problems"
    cursor = cursor_of(request)
    context: dict[str, Any] = {"import": found, "problems_only": problems_only}
    if found.is_done:
        asked = {"show": "problems"} if problems_only else {}
        page = list_import_lines(request.user, found, problems_only=problems_only, cursor=cursor)
        context |= {"lines": page.items} | neighbours(request, page, **asked)
        if request.htmx and not cursor:
            messages.success(request, _("The import is finished."))
    fragment = "accounts/_import_lines.html" if cursor else "accounts/_import_report.html"
    return _unstored(page_or_fragment(request, "accounts/import.html", fragment, context))


@require_safe
@sign_in_required
def report_file(request: SiteRequest, import_id: str) -> StreamingHttpResponse:
    """The report of an import as a file."""
    count_hits((EXPORTS, request.user.user_id))
    found = get_import(request.user, import_id)
    pieces = _report_lines(request.user, found, language=get_language())
    return as_download(chain([next(pieces)], pieces), name="import-report")


def _report_lines(viewer: Viewer, found: ImportCard, *, language: str | None) -> Iterator[str]:
    """In pages; the language is the request's, which is over when most of them are asked for."""
    cursor: str | None = None
    with override(language):
        text = write_row([_("Row"), _("Account"), _("Circle"), _("Result")])
    while True:
        with override(language):
            page = list_import_lines(viewer, found, cursor=cursor)
            cells = (
                (str(line.number), line.account, line.circle, line.text) for line in page.items
            )
            text += "".join(map(write_row, cells))
        yield text
        text, cursor = "", page.next_cursor
        if cursor is None:
            return


def _unstored(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
