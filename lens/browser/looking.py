"""The right to browse the table: developers see all; staff of a site in production see keys, types and sizes, and only
their own values."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http.response import HttpResponseBase

from accounts.guards import permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest, View
from lens.right import is_developer
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.web.observing.security_log import Event, note_event

P = ParamSpec("P")
# What signs people in stays masked for staff even where it is their own.
SECRETS = {"Credentials", "Passkey", "SignIn"}


def browsers_only(
    view: Callable[Concatenate[SiteRequest, P], HttpResponseBase],
) -> View[P]:
    """Answers 404 to everyone but developers and staff with the permission `LENS`, whose proofs it asks for."""
    for_staff = permission_required(Permission.LENS)(view)

    @wraps(view)
    def guarded(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return (view if is_developer(request) else for_staff)(request, *args, **kwargs)

    return guarded


def note_look(request: SiteRequest, partition: str, *, index: str = "") -> None:
    """Notes in the security log which partition a member of the staff looks at. Raises `NotFound` where the keys alone
    say what only the permission `ORIGINS` may see."""
    if is_developer(request):
        return
    if keys.links_accounts(partition) and Permission.ORIGINS not in permissions_of(request.user):
        raise NotFound("who shares a network has a permission of its own")
    note_event(Event.TABLE_BROWSED, account=request.user.user_id, partition=partition, index=index)


def is_masked(request: SiteRequest, partition: str, item: str) -> bool:
    """Whether the values of an item in a partition are told by their length alone."""
    if is_developer(request):
        return False
    return item in SECRETS or not keys.is_of_person(partition, request.user.user_id)
