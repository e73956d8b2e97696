"""Refuses bodies that are larger than their page accepts, by their declared length, before anything reads them.

Forms accept `DATA_UPLOAD_MAX_MEMORY_SIZE`. A view that accepts an upload says so with `takes_upload`. Uploads go into
temporary files without a name (`uploads.py`).
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.core.handlers.wsgi import LimitedStream
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.translation import override

from socialsite.pictures.limits import MOST_BYTES
from socialsite.web.pages.errors import too_large
from socialsite.web.preferences import language_for, preferences_of

CHUNK = 64 * 1024  # bytes
MOST_DISCARDED = 2 * MOST_BYTES  # after more the connection is closed

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def takes_upload(size: int) -> Callable[[View], View]:
    """Declares that the view's form may hold a file of `size` bytes, besides its fields."""

    def declare(view: View) -> View:
        view.upload_bytes = size  # type: ignore[attr-defined]
        return view

    return declare


def refuse_large_bodies(get_response: Callable[[HttpRequest], HttpResponseBase]) -> object:
    """Middleware: answers 413, or 411 to a body of unknown length, which no browser sends.

    A false declared length changes nothing, because Django reads no byte beyond it.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if "Transfer-Encoding" in request.headers:
            text = "Send the length of the body."
            return _closing(
                request, HttpResponse(text, status=411, content_type="text/plain; charset=utf-8")
            )
        length = _declared_length(request)
        if length <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE or length <= _most_for(request):
            return get_response(request)
        with override(language_for(request, preferences_of(request))):
            response = too_large(request)
        if length > MOST_DISCARDED:
            return _closing(request, response)
        _discard(request, length)
        return response

    return middleware


def _declared_length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0  # as Django reads it: no body


def _most_for(request: HttpRequest) -> int:
    fields: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    try:
        view: Any = resolve(request.path_info).func
    except Resolver404:
        return fields
    return fields + int(getattr(view, "upload_bytes", 0))


def _discard(request: HttpRequest, length: int) -> None:
    """Reads the body and throws it away, so that the browser shows the answer instead of a broken connection."""
    while length > 0 and (read := request.META["wsgi.input"].read(min(CHUNK, length))):
        length -= len(read)


def _closing(request: HttpRequest, response: HttpResponse) -> StreamingHttpResponse:
    """Returns the answer for a body that stays unread. gunicorn then closes the connection, and `runserver` does so
    after an answer without a length."""
    stream = request.META["wsgi.input"]
    if isinstance(stream, LimitedStream):
        stream.limit = 0  # else `runserver` reads all of it into memory at the end
    return StreamingHttpResponse(
        iter([response.content]), status=response.status_code, headers=response.headers
    )
