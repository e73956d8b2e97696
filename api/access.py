"""What every address of the API does before and after its view: who asks, by a token alone, how often, and errors as
JSON. A cookie of the site is never looked at here, so any page may call these addresses (CORS)."""

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import wraps
from typing import Any

from django import forms
from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.core.exceptions import ValidationError as Invalid
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from accounts.access.reads import NO_ACCESS, Access, Secret, get_viewer_of_app
from accounts.access.writes import keep_access
from accounts.people.viewer import VISITOR
from accounts.requests import SiteRequest
from accounts.sessions import hash_secret
from feed.posts.content_checks import Refused as RefusedText
from feed.threads.reads import CannotReply
from notifications.live.asking import HEADER, is_signed
from socialsite.engine.program import EngineError
from socialsite.observing.logs import Event, note_event
from socialsite.process_state import kept_by_process
from socialsite.table import NotFound, TableError
from socialsite.web.errors import page_of_error
from socialsite.web.limits import LimitReached, client_address


class ApiRequest(SiteRequest):
    """A request of an app. `user` is the person for whom it acts, a visitor without a token."""

    access: Access
    sent: "Sent"
    rate: "Rate"


View = Callable[..., Any]  # returns an answer, or what becomes JSON


@dataclass(frozen=True, slots=True)
class Sent:
    """The parameters of a request, from its address and its body, which is a form or JSON. Lists may be called `name`
    or `name[]`, and what is in an object of JSON is called as in a form: `poll[options]`."""

    values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    files: Mapping[str, Any] = field(default_factory=dict)

    def get(self, name: str, default: str = "") -> str:
        found = self.values.get(name)
        return found[-1] if found else default

    def all(self, name: str) -> list[str]:
        return [*self.values.get(name, ()), *self.values.get(f"{name}[]", ())]

    def flag(self, name: str) -> bool:
        return self.get(name).lower() in ("1", "true", "t", "on", "yes")

    def first(self) -> dict[str, str]:
        return {name: found[0] for name, found in self.values.items() if found}

    def __contains__(self, name: str) -> bool:
        return name in self.values


def here(request: HttpRequest) -> str:
    """Returns how absolute addresses of this site begin."""
    return request.build_absolute_uri("/")[:-1]


MOST_VALUES = 200
MOST_NESTED = 2  # parts in parts, as of a push subscription


def sent_by(request: HttpRequest) -> Sent:
    """Returns what a request brings. Raises `BadRequest` for a body that is not what it says it is."""
    values = {name: list(found) for name, found in request.GET.lists()}
    files: Mapping[str, Any] = {}
    if request.method not in ("GET", "HEAD", "OPTIONS"):
        body, files = _body(request)
        for name, found in body:
            values[name] = found
    return Sent(values, files)


Fields = Iterable[tuple[str, list[str]]]


def _body(request: HttpRequest) -> tuple[Fields, Mapping[str, Any]]:
    kind = request.content_type or ""
    if kind == "application/json":
        try:
            given = json.loads(request.body or b"{}")
            if not isinstance(given, dict):
                raise BadRequest("The body is no JSON object")
            # All of it here: what is nested may be read and yet too deep to be written.
            return list(_fields(given)), {}
        except (ValueError, RecursionError) as error:
            raise BadRequest("The body is no JSON") from error
    if request.method == "POST":
        return request.POST.lists(), request.FILES
    if kind == "application/x-www-form-urlencoded":
        return QueryDict(request.body, encoding="utf-8").lists(), {}
    if kind == "multipart/form-data":  # Django parses it of a POST alone
        fields, files = request.parse_file_upload(request.META, request)
        return fields.lists(), files
    return [], {}


def _fields(given: Mapping[str, Any], within: str = "") -> Iterable[tuple[str, list[str]]]:
    for name, value in given.items():
        called = f"{within}[{name}]" if within else name
        if isinstance(value, dict) and called.count("[") < MOST_NESTED:
            yield from _fields(value, called) if value else [(called, [])]
        elif value is not None:
            yield called, _texts(value)


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [_text(one) for one in value[:MOST_VALUES]]
    return [_text(value)]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "replace").decode()  # JSON can say halves of characters


MOST_CALLS = 300
SECONDS = 300  # of a window
MOST_COUNTED = 10_000  # tokens and addresses
_calls: dict[str, int] = {}
_good: set[str] = set()  # tokens of this window, which begin the next one with counts of their own
_window = [0]
_counting = threading.Lock()


@kept_by_process
def forget_calls() -> None:
    with _counting:
        _calls.clear()
        _good.clear()


@dataclass(frozen=True, slots=True)
class Rate:
    """How many calls of a window are left. Each process counts its own, so that reading writes nothing: a bound, not an
    exact number."""

    left: int
    until: int

    @property
    def headers(self) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(MOST_CALLS),
            "X-RateLimit-Remaining": str(max(0, self.left)),
            "X-RateLimit-Reset": datetime.fromtimestamp(self.until, UTC).isoformat(),
        }


def count_call(request: HttpRequest) -> Rate:
    """Counts a call: for its token, if that was good before in this window or the last one, else for its address, as
    tokens that are made up are as many as one likes: people behind one address do not shut out the apps of each other.
    `left` is below 0 once there are too many. What a stream asks is not counted: it has a pace of its own."""
    now = int(time.time())
    begun = now - now % SECONDS
    token = hash_secret(bearer(request))
    with _counting:
        if _window[0] != begun or len(_calls) > MOST_COUNTED:
            _calls.clear()
            _calls.update(dict.fromkeys(_good if len(_good) < MOST_COUNTED // 2 else (), 0))
            _good.clear()
            _window[0] = begun
        subject = token if token in _calls else hash_secret(client_address(request))
        is_counted = not is_signed(request.headers.get(HEADER, ""), bearer(request))
        _calls[subject] = calls = _calls.get(subject, 0) + is_counted
    return Rate(MOST_CALLS - calls, begun + SECONDS)


def count_for_itself(request: "ApiRequest", token: str) -> None:
    """Counts for itself a token that turned out to be good, this call too: its address gets it back."""
    hashed, address = hash_secret(token), hash_secret(client_address(request))
    with _counting:
        _good.add(hashed)
        if hashed in _calls:
            return
        counted = min(1, _calls.get(address, 0))
        _calls[hashed] = counted
        if counted:
            _calls[address] -= counted
        request.rate = Rate(MOST_CALLS - counted, _window[0] + SECONDS)


class Refusal(Exception):
    """An answer that is no success, with its sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


def refuse(sentence: str) -> Refusal:
    """Returns the error for input that cannot be: 422."""
    return Refusal(422, sentence)


def valid(form: forms.Form) -> dict[str, Any]:
    """Returns what a form of the pages holds, sent by an app. Raises `Refusal` with what is wrong with it."""
    if form.is_valid():
        return form.cleaned_data
    raise refused_by(form)


def refused_by(form: forms.Form) -> Refusal:
    """Returns the error that says what is wrong with a form."""
    said = " ".join(str(one) for errors in form.errors.values() for one in errors)
    return refuse(_("Validation failed: %(errors)s") % {"errors": said})


def failed(status: int, sentence: str, **headers: str) -> JsonResponse:
    response = JsonResponse({"error": sentence}, status=status)
    for name, value in headers.items():
        response[name.replace("_", "-")] = value
    return response


def endpoint(scope: str = "", *, visitors: bool = False) -> Callable[[View], View]:
    """Makes a view an address of the API: it needs a token that has the `scope`. With `visitors` it also answers
    without any token, as the pages do; a token that is wrong is refused there too.

    What is asked of the table is what `get_viewer` asks for a page, and nothing for visitors.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answered(request: ApiRequest, /, **named: Any) -> HttpResponse:
            _identify(request)
            if not request.user.is_authenticated and not visitors:
                raise Refusal(401, _("The access token is invalid"))
            if request.user.is_authenticated and scope and not request.access.may(scope):
                raise Refusal(403, _("This action is outside the authorized scopes"))
            given = view(request, **named)
            if isinstance(given, HttpResponse):
                return given
            return JsonResponse(given, safe=False)

        # What the description of the API tells (`developers/`).
        answered.scope, answered.visitors = scope, visitors  # type: ignore[attr-defined]
        return answered

    return decorate


def _identify(request: ApiRequest) -> None:
    """Sets the person for whom the app acts. Raises `Refusal` for a token that is over, or that was none."""
    token = bearer(request)
    secret = Secret.of(token)
    if secret is None:
        if token and not token.startswith("app."):
            raise Refusal(401, _("The access token is invalid"))
        return
    viewer, access = get_viewer_of_app(secret)
    if viewer.locked_out:
        raise Refusal(403, _("Your account can’t be used right now."))
    if not viewer.is_authenticated:
        raise Refusal(401, _("The access token is invalid"))
    count_for_itself(request, token)
    request.user, request.access = viewer, access
    if not access.was_used_today:
        with suppress(TableError, EngineError):  # reading goes on while nothing can be written
            keep_access(by=viewer, access=access)


def bearer(request: HttpRequest) -> str:
    """Returns the token that came with a request, empty without one."""
    kind, _space, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": (
        "Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"
    ),
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Robots-Tag": "noindex",  # what search engines may list are pages
}
PREFLIGHT = CORS | {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key",
    "Access-Control-Max-Age": "86400",
}


def api(**views: View) -> Callable[..., HttpResponse]:
    """Returns what Django calls for an address: one view for each method. No form of the site leads here, so there is
    no token against forgery: what may be done is in a header that no other site can send."""

    @csrf_exempt
    def called(request: ApiRequest, /, **named: Any) -> HttpResponse:
        if request.method == "OPTIONS":
            return _with(HttpResponse(status=204), PREFLIGHT)
        request.user, request.access = VISITOR, NO_ACCESS
        request.rate = count_call(request)
        response = _answer(request, views, named)
        response.setdefault("Cache-Control", "private, no-store")
        response.setdefault("Vary", "Authorization, Accept-Language")
        return _with(response, CORS | request.rate.headers)

    called.views = views  # type: ignore[attr-defined]
    called.too_large = _too_large  # type: ignore[attr-defined]
    return called


def _too_large(request: HttpRequest) -> HttpResponse:
    """Returns the answer for a body that nothing read."""
    return _with(failed(413, _("This is too large.")), CORS)


def _answer(request: ApiRequest, views: Mapping[str, View], named: dict[str, Any]) -> HttpResponse:
    rate = request.rate
    method = "GET" if request.method == "HEAD" else request.method or ""
    try:
        if rate.left < 0:
            raise LimitReached(max(1, rate.until - int(time.time())), "api")
        if method not in views:
            return failed(405, _("Method not allowed"), Allow=", ".join(views))
        request.sent = sent_by(request)
        response = views[method](request, **named)
    except Exception as error:
        answer = answer_to(request, error)
        if answer is None:
            raise
        return answer
    return response if isinstance(response, HttpResponse) else JsonResponse(response, safe=False)


def answer_to(request: ApiRequest, error: Exception) -> HttpResponse | None:
    """Returns what an error says as JSON, None for one that nobody foresaw."""
    match error:
        case Refusal():
            return failed(error.status, error.sentence)
        case LimitReached():
            note_event(Event.LIMIT_REACHED, account=request.user.account_id, limit=error.kind)
            return failed(429, _("Too many requests"), Retry_After=str(error.retry_after))
        case RefusedText() | CannotReply():
            return failed(422, str(error.sentence) or _("You can’t do this."))
        case NotFound() | Http404():
            return failed(404, _("Record not found"))
        case PermissionDenied():
            return failed(403, _("This action is not allowed"))
        case BadRequest() | MultiPartParserError():
            return failed(400, str(error))
        case RequestDataTooBig() | TooManyFieldsSent() | TooManyFilesSent():
            return failed(413, _("This is too large."))
        case Invalid():
            return failed(422, " ".join(error.messages))
        case TableError() | EngineError() | OSError():
            return _of_page(request, error)
        case _:
            return None


def _of_page(request: ApiRequest, error: Exception) -> HttpResponse | None:
    """Returns the status that the error's page has, with its sentence."""
    if isinstance(error, TableError) and error.template:
        return failed(error.status, str(error.told) or _("You can’t do this."))
    page = page_of_error(request, error)
    if page is None:
        if isinstance(error, TableError):
            return failed(422, _("You can’t do this."))
        return None
    wait = page.headers.get("Retry-After", "3")
    return failed(page.status_code, _("The site can’t do this right now."), Retry_After=wait)


def _with(response: HttpResponse, headers: Mapping[str, str]) -> HttpResponse:
    for name, value in headers.items():
        response[name] = value
    return response


@csrf_exempt
def no_such_address(request: ApiRequest, **named: Any) -> HttpResponse:
    return api(**dict.fromkeys(("GET", "POST", "PUT", "PATCH", "DELETE"), _nothing))(request)


def _nothing(request: ApiRequest) -> HttpResponse:
    raise NotFound("no such address")
