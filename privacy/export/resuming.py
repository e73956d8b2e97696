"""Sends a file so that a download that broke off can go on: one range of bytes (RFC 9110, section 14)."""

import re
from collections.abc import Iterator
from typing import IO

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

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
