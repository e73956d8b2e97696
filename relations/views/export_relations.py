"""Taking one's follows, blocks, mutes and circles along: a file of each."""

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
    """The file, sent as it is read; a fault at its beginning is still an answer of its own."""
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
