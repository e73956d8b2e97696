"""What is refused before it is read: bodies and uploads that are too large, and requests that come too late."""

import socket
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from typing import IO, Any, TypeVar

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.core.handlers.wsgi import LimitedStream
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.translation import override

from socialsite.pictures.limits import MOST_BYTES
from socialsite.web.errors import too_large
from socialsite.web.limits import visitors_address
from socialsite.web.observation import HEADER, begin_request, note_refusal
from socialsite.web.preferences import language_for, preferences_of


class UnnamedFileUploadHandler(FileUploadHandler):
    """Writes an upload to a file that no other program can open and no crash leaves behind."""

    file: IO[bytes]

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the upload

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.file.write(raw_data)

    def file_complete(self, file_size: int) -> UploadedFile:
        self.file.seek(0)
        return UploadedFile(
            self.file,
            self.file_name,
            self.content_type,
            file_size,
            self.charset,
            self.content_type_extra,
        )

    def upload_interrupted(self) -> None:
        if hasattr(self, "file"):
            self.file.close()


# Refuses bodies that are larger than their page accepts, by their declared length, before anything reads them.
#
# Forms accept `DATA_UPLOAD_MAX_MEMORY_SIZE`. A view that accepts an upload says so with `takes_upload`. Uploads
# go into temporary files without a name (`UnnamedFileUploadHandler`).

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
        if length <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return get_response(request)
        view = _view_of(request)
        if length <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE + int(getattr(view, "upload_bytes", 0)):
            return get_response(request)
        with override(language_for(request, preferences_of(request))):
            # What is no page says it in its own form, as the API does.
            response = getattr(view, "too_large", too_large)(request)
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


def _view_of(request: HttpRequest) -> Any:
    try:
        return resolve(request.path_info).func
    except Resolver404:
        return None


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


# Refuses requests that waited too long before anything looked at them.
#
# A request that comes while all of gunicorn's threads are busy has to wait. After `LONGEST` seconds its sender
# may be gone, and answering it only makes the next ones wait as long. So it gets a 503 with Retry-After, before
# any middleware, template or call to the table. The log has a line for it, as for any other request.

LONGEST = 0.8  # seconds; with the time of the answer itself, a refusal stays under 1 s
RETRY_AFTER = 2
TEXT = b"The site is busy. Please try again in a moment.\n"
STILL_ANSWERED = (
    "/healthz"  # a load balancer that asks here must not think that the process is dead
)

TCP_INFO_BYTES = 104
LAST_DATA_RECEIVED = 52  # the offset of tcpi_last_data_recv, in milliseconds
FIRST_OF_MILLISECONDS = 1e11  # in seconds, this is the year 5138


class RefuseLate:
    """A WSGI application that wraps the site's own."""

    def __init__(self, application: Any) -> None:
        self.application = application

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        age = age_of(environ)
        if age > LONGEST and environ.get("PATH_INFO") != STILL_ANSWERED:
            request_id = begin_request(environ.get("HTTP_X_REQUEST_ID", ""))
            address = visitors_address(
                str(environ.get("REMOTE_ADDR", "")), environ.get("HTTP_X_FORWARDED_FOR", "")
            )
            path = environ.get("PATH_INFO", "")
            note_refusal(environ.get("REQUEST_METHOD", ""), age, path=path, address=address)
            return _refuse(start_response, request_id)
        answer: Iterable[bytes] = self.application(environ, start_response)
        return answer


def age_of(environ: dict[str, Any]) -> float:
    """Returns how many seconds ago the request came, 0 if that is unknown."""
    return max(_age_by_kernel(environ), _age_by_proxy(environ))


def _age_by_kernel(environ: dict[str, Any]) -> float:
    """Returns the seconds since the connection's last bytes came, accepted or not. For Linux with gunicorn."""
    connection = environ.get("gunicorn.socket")
    if connection is None or sys.platform != "linux":
        return 0.0
    try:
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_BYTES)
        milliseconds: int = struct.unpack_from("I", info, LAST_DATA_RECEIVED)[0]
    except (OSError, struct.error):  # not TCP, or closed meanwhile
        return 0.0
    return milliseconds / 1000


def _age_by_proxy(environ: dict[str, Any]) -> float:
    """Returns the age by `X-Request-Start`, which a trusted proxy overwrites: `t=` and seconds (nginx) or milliseconds
    (HAProxy)."""
    if not settings.TRUSTED_PROXY_HOPS:
        return 0.0
    try:
        start = float(environ.get("HTTP_X_REQUEST_START", "").removeprefix("t="))
    except ValueError:
        return 0.0
    if start > FIRST_OF_MILLISECONDS:
        start /= 1000
    age = time.time() - start
    return age if 0 < age < 3600 else 0.0  # another clock, or nonsense


def _refuse(start_response: Any, request_id: str) -> Iterable[bytes]:
    headers = [
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", str(len(TEXT))),
        ("Retry-After", str(RETRY_AFTER)),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        (HEADER, request_id),
    ]
    start_response("503 Service Unavailable", headers)
    return [TEXT]
