"""`request.user` and `request.people`: read once per request, together with the handle in the address. Pages under a
former handle lead on to the same pages under the present one."""

from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlencode

from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from accounts.models import SignIn
from accounts.people.reads import NOBODY, Holder, get_handle
from accounts.people.viewer import VISITOR, Viewer
from accounts.sessions import get_viewer, hash_secret, keep_signed_in, today
from socialsite.engine.program import EngineError
from socialsite.table import Key, NotFound, TableError, row

SESSION_USER = "user"
SESSION_SECRET = "secret"  # noqa: S105 - the name of a field


class ViewerMiddleware:
    """Sets `request.user` (a `Viewer`) and `request.people`. Both are read on first use, so an answer that needs
    neither costs nothing. Leads from a former handle on to the present one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        read_people(request)
        response = self.get_response(request)
        return lead_on(request, response, request.people.known_holder)  # type: ignore[attr-defined]


def read_people(request: HttpRequest) -> None:
    """Sets whom the request is from, once more after its session got a new sign-in."""
    people = People(request)
    request.people = people  # type: ignore[attr-defined]
    request.user = SimpleLazyObject(lambda: people.viewer)  # type: ignore[assignment]


class People:
    """The viewer, and the person whose handle is in the address. One BatchGetItem reads both."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self._found: tuple[Viewer, Holder] | None = None
        self._beside: list[Key] = []

    @property
    def viewer(self) -> Viewer:
        return self._read()[0]

    @property
    def known_viewer(self) -> Viewer:
        """Returns the viewer if they were already read, otherwise a visitor. Reads nothing itself."""
        return self._found[0] if self._found else VISITOR

    def read_beside(self, key_of: Callable[[str], Key]) -> None:
        """Lets an item of the viewer be read together with them, for `Viewer.beside`. `key_of` gets their id. Changes
        nothing once they were read, and a visitor has no items."""
        if self._found is None:
            self._beside.append(key_of(self.session[0]))

    @property
    def session(self) -> tuple[str, str]:
        """Returns the id and the hashed secret that the cookie claims, read from nowhere else."""
        return _session_of(self._request)

    @property
    def known_holder(self) -> Holder:
        """Returns whom the handle of the address leads to if it was already read. Reads nothing itself."""
        return self._found[1] if self._found else NOBODY

    @property
    def holder(self) -> Holder:
        """Returns whom the handle of the address leads to, who may have another one by now."""
        return self._read()[1]

    @property
    def person_id(self) -> str:
        """Returns the id of the person in the address. Raises `NotFound` if the handle leads to nobody."""
        if not self.holder.user_id:
            raise NotFound("nobody has this handle")
        return self.holder.user_id

    def _read(self) -> tuple[Viewer, Holder]:
        if self._found is None:
            self._found = _read_people(self._request, self._beside)
        return self._found


def _read_people(request: HttpRequest, beside: list[Key]) -> tuple[Viewer, Holder]:
    user_id, secret_hash = _session_of(request)
    handle = request.resolver_match.kwargs.get("handle", "") if request.resolver_match else ""
    if not user_id and not handle:
        return VISITOR, NOBODY
    viewer, holder, sign_in = get_viewer(user_id, secret_hash, handle=handle, beside=beside)
    if sign_in is not None and row(SignIn, sign_in).seen != today():
        _renew(request, viewer)
    return viewer, holder


def _session_of(request: HttpRequest) -> tuple[str, str]:
    secret = str(request.session.get(SESSION_SECRET, ""))
    return str(request.session.get(SESSION_USER, "")), hash_secret(secret)


def _renew(request: HttpRequest, viewer: Viewer) -> None:
    try:
        keep_signed_in(by=viewer)
    except NotFound:  # signed out in another window meanwhile
        return
    request.session.modified = True


MEANT = "id"  # in the address of a mention: the person whom it means


def lead_on(request: HttpRequest, response: HttpResponse, holder: Holder) -> HttpResponse:
    """Returns a redirect instead of a page that was to be shown under a former handle, and every other answer as it is.

    It comes after the view, which has checked whether the viewer may see the person: where the page is a 404, nobody
    learns the present handle. Forms that pages of before send still do what they say. Reading the present handle costs
    0.5 read units; if the table cannot say it now, the page is shown where it was asked for.
    """
    if not holder.is_former or request.method not in ("GET", "HEAD") or response.status_code != 200:
        return response
    with suppress(TableError, EngineError):
        if address := _present_address(request, get_handle(holder.user_id)):
            _keep_messages(request)
            return not_kept(address)
    return response


def not_kept(address: str) -> HttpResponse:
    """Returns a redirect that no browser keeps, because the next person may have the handle after 90 days."""
    response = redirect(address)
    response["Cache-Control"] = "no-store"
    return response


def _present_address(request: HttpRequest, handle: str) -> str:
    """Returns the address of the same page with another handle, empty if it is the one that was asked for: an item may
    be read as it was a moment ago."""
    match = request.resolver_match
    if match is None or match.kwargs["handle"] == handle:
        return ""
    asked = {name: value for name, value in request.GET.lists() if name != MEANT}
    address = reverse(match.view_name, kwargs=match.kwargs | {"handle": handle})
    return f"{address}?{urlencode(asked, doseq=True)}" if asked else address


def _keep_messages(request: HttpRequest) -> None:
    """Leaves what waited to be said to the next page: this one is not shown."""
    waiting = get_messages(request)
    if isinstance(waiting, BaseStorage):
        waiting.used = False
