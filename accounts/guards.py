"""Guards that ask for more than a sign-in.

Staff pages need a permission, what this sign-in has proved, and for changes a recent proof. Some pages of every account
need a proof of the last minutes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial, wraps
from typing import ParamSpec
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from accounts.credentials.second_factor import get_second_factor
from accounts.permissions import Permission, permissions_of
from accounts.proof.views import ask_in_place
from accounts.requests import SiteRequest, View, send_to_sign_in
from socialsite.observing.logs import Event, note_event
from socialsite.table import NotFound

P = ParamSpec("P")
PROOF_LASTS = timedelta(minutes=10)


def is_change(request: SiteRequest) -> bool:
    return request.method not in ("GET", "HEAD")


def never(request: SiteRequest) -> bool:
    """For pages that staff only look through, although a form is sent."""
    return False


def permission_required(
    *any_of: Permission, changes: Callable[[SiteRequest], bool] = is_change
) -> Callable[[View[P]], View[P]]:
    """Answers 404 to people with none of the permissions, and leads those whose sign-in has ended to a new one.

    With `STAFF_SECOND_FACTOR`, a sign-in needs a proof by code or passkey before it reads anything, and one from the
    last `STAFF_PROOF_MINUTES` before it changes anything: `changes` says whether a request does. With `STAFF_PASSKEY`
    only a passkey will do. Otherwise nothing is done: people who have neither are sent to set one up, those who have
    proved nothing here to `/confirm`, and an old proof is asked for in place (`ask_in_place`), after which what was
    sent is done. Asking costs 0.5 read units unless the proof is recent.
    """

    def guard(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if permissions_of(request.user).isdisjoint(any_of):
                if request.user.account_id:
                    note_event(Event.NOT_PERMITTED, account=request.user.account_id)
                elif request.people.session[0]:
                    if "preview" in request.POST:  # one that comes late must not move the page
                        return HttpResponse(status=204)
                    return send_to_sign_in(request)
                raise NotFound("not permitted")
            is_asked = settings.STAFF_SECOND_FACTOR or settings.STAFF_PASSKEY
            missing = _missing_proof(request, changes(request)) if is_asked else None
            if missing is None:
                return view(request, *args, **kwargs)
            if missing.is_old:
                again = partial(view, request, *args, **kwargs)
                return ask_in_place(request, again, needs_passkey=missing.needs_passkey)
            return _send(request, missing.address)

        return guarded

    return guard


def proof_required(*, back_to: str = "") -> Callable[[View[P]], View[P]]:
    """Does nothing unless this sign-in confirmed its identity within `PROOF_LASTS`, but sends people to `/confirm`, and
    from there to the page `back_to`, where they press again. Without `back_to` it is the page itself that asks. Costs
    nothing: `request.user` knows of the proof.

    Stands below `sign_in_required` or `account_required`, whose people it asks."""

    def guard(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if request.user.has_proved_within(PROOF_LASTS):
                return view(request, *args, **kwargs)
            asked = {"next": back_to or request.get_full_path()}
            if back_to or request.method not in ("GET", "HEAD"):
                asked["again"] = "1"
            return _send(request, f"/confirm?{urlencode(asked)}")

        return guarded

    return guard


@dataclass(frozen=True, slots=True)
class Missing:
    """The page that asks for a proof. `is_old`: this sign-in gave one before, so its form was written on a page of
    staff and must not be lost."""

    address: str
    needs_passkey: bool = False
    is_old: bool = False


def _missing_proof(request: SiteRequest, is_change: bool) -> Missing | None:
    viewer = request.user
    is_strong = viewer.has_proved_by_code
    if settings.STAFF_PASSKEY:
        is_strong = viewer.has_proved_by_passkey
    if is_strong and viewer.has_proved_within(timedelta(minutes=settings.STAFF_PROOF_MINUTES)):
        return None
    factor = get_second_factor(viewer.user_id)
    needs_passkey = settings.STAFF_PASSKEY or not factor.is_on
    if needs_passkey and not factor.passkeys:
        return Missing("/settings/passkeys" if settings.STAFF_PASSKEY else "/settings/security")
    if is_strong and not is_change:
        return None
    if request.method not in ("GET", "HEAD"):
        asked = {"next": _page_of(request), "again": "1"}
    else:
        asked = {"next": _page_of(request) if request.htmx else request.get_full_path()}
    if needs_passkey:
        asked["passkey"] = "1"
    return Missing(f"/confirm?{urlencode(asked)}", needs_passkey, is_old=is_strong)


def _page_of(request: SiteRequest) -> str:
    """Returns the page that the browser says sent the form, or home if that is another site or no address."""
    said = request.htmx.current_url or "" if request.htmx else request.headers.get("Referer", "")
    try:
        address = urlsplit(said)
    except ValueError:
        return "/"
    if address.netloc != request.get_host() or not address.path.startswith("/"):
        return "/"
    return f"{address.path}?{address.query}" if address.query else address.path


def _send(request: SiteRequest, address: str) -> HttpResponse:
    if request.htmx:
        response = HttpResponse(status=204)
        response["HX-Redirect"] = address
        return response
    return redirect(address)
