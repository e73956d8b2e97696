"""Taking all data of an account along: asking for them, seeing how far they are, and downloading them. A download that
broke off can go on: one range of bytes (RFC 9110, section 14)."""

import re
from collections.abc import Iterator
from typing import IO

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guards import proof_required
from accounts.requests import SiteRequest, account_required
from privacy.export.parts import open_zip
from privacy.export.writes import AlreadyExported, ask_for_export, get_export, open_download
from socialsite.table import NotFound
from socialsite.web.fragments import page_or_fragment
from socialsite.web.preferences import zone_at_hand

RANGE = re.compile(r"bytes=(\d{1,18})-(\d{0,18})")
CHUNK = 65_536


def send_file(
    request: HttpRequest, file: IO[bytes], *, size: int, name: str, etag: str
) -> HttpResponseBase:
    """Returns the answer with the file, or with the part of it that is asked for. A range of another file than the
    browser has begun with, or one that is no range, gets all of it."""
    start, end = 0, size
    match = RANGE.fullmatch(request.headers.get("Range", ""))
    begun_with = request.headers.get("If-Range", f'"{etag}"')
    if match and begun_with == f'"{etag}"':
        start = int(match[1])
        end = min(int(match[2]) + 1, size) if match[2] else size
        if start >= end:
            response = HttpResponse(status=416)
            response["Content-Range"] = f"bytes */{size}"
            return response
    answer = StreamingHttpResponse(
        _pieces(file, start, end),
        status=206 if (start, end) != (0, size) else 200,
        content_type="application/zip",
    )
    if answer.status_code == 206:
        answer["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    answer["Content-Length"] = str(end - start)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Content-Encoding"] = "identity"  # a zip is packed, and ranges count its own bytes
    answer["Accept-Ranges"] = "bytes"
    answer["ETag"] = f'"{etag}"'
    answer["Cache-Control"] = "private, no-store"
    return answer


def _pieces(file: IO[bytes], start: int, end: int) -> Iterator[bytes]:
    with file:
        file.seek(start)
        while start < end and (piece := file.read(min(CHUNK, end - start))):
            start += len(piece)
            yield piece


PAGE = "/settings/export"
FILE = "/settings/export/file"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@account_required
def export(request: SiteRequest) -> HttpResponseBase:
    """Shows how the export stands, and to htmx that alone. A POST asks for one."""
    if request.method == "POST":
        return _ask(request)
    context = {"export": get_export(request.user.account_id)}
    return page_or_fragment(request, "privacy/export.html", "privacy/_export.html", context)


@proof_required(back_to=PAGE)
def _ask(request: SiteRequest) -> HttpResponse:
    """A press that is repeated finds the export under way."""
    try:
        ask_for_export(
            by=request.user,
            site=request.build_absolute_uri("/").rstrip("/"),
            language=get_language() or "en",
            zone=zone_at_hand(),
        )
    except AlreadyExported:
        messages.info(request, _("You already asked for a copy."))
    return redirect(PAGE)


@require_POST
@account_required
@proof_required(back_to=PAGE)
def open_file(request: SiteRequest) -> HttpResponse:
    """Opens the download for ten minutes, and leads to it."""
    found = get_export(request.user.account_id)
    if found is None:
        raise NotFound("no export")
    open_download(by=request.user, export=found)
    return redirect(FILE)


@require_safe
@account_required
def send_export(request: SiteRequest) -> HttpResponseBase:
    """Sends the zip, or the part of it that is missing yet, while the download is open. Else leads to the page, where
    it can be opened."""
    found = get_export(request.user.account_id)
    if found is None or not found.is_open_to(request.user.secret_hash):
        return redirect(PAGE)
    try:
        file = open_zip(found.user_id, found.export_id)
    except FileNotFoundError as error:
        raise NotFound("the files of the export are gone") from error
    name = f"socialsite-{found.asked_at[:10]}.zip"
    return send_file(request, file, size=found.size, name=name, etag=found.export_id)
