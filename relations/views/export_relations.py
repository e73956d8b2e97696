"""Exporting follows, blocks, mutes and circles, each as a file."""

from itertools import chain

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, sign_in_required
from relations.csv_files import FileKind
from relations.exports import write_file
from socialsite.table.errors import NotFound
from socialsite.web.bounds.limits import EXPORTS, count_hits


@require_safe
@sign_in_required
def data(request: SiteRequest) -> HttpResponse:
    """Offers the viewer's lists as files."""
    return render(request, "relations/data.html")


@require_safe
@sign_in_required
def export_relations(request: SiteRequest, kind: str) -> StreamingHttpResponse:
    """Sends the file while it is read. A fault before the first piece still gets an error page."""
    if kind not in list(FileKind):
        raise NotFound("no such file")
    count_hits((EXPORTS, request.user.user_id))
    pieces = write_file(request.user, FileKind(kind), host=request.get_host())
    response = StreamingHttpResponse(
        chain([next(pieces)], pieces), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{kind}.csv"'
    response["Cache-Control"] = "no-store"
    return response
