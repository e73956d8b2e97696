"""`request.user` and `request.people`: read once per request, together with the handle in the address."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from accounts.access_patterns import get_viewer
from accounts.handles.former_addresses import lead_on
from accounts.handles.holders import NOBODY, Holder
from accounts.models import SignIn
from accounts.services.sign_in import hash_secret, keep_signed_in, today
from accounts.viewer import VISITOR, Viewer
from socialsite.table.errors import NotFound
from socialsite.table.keys import Key
from socialsite.table.row import row

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
