"""What tests of signing up share: Dora, who would like to join."""

from django.test import Client

from accounts.models import UserInfo, UserSettings
from accounts.people.reads import find_user_by_handle
from socialsite.table import NotFound, get, keys
from tests.conftest import PASSWORD

DORA = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": PASSWORD}


def join(browser: Client | None = None, *, handle: str = "dora", **changes: str):
    person = DORA | {"handle": handle, "email": f"{handle}@example.org"}
    return (browser or Client()).post("/signup", person | changes)


def is_here(handle: str = "dora") -> bool:
    try:
        return bool(find_user_by_handle(handle))
    except NotFound:
        return False


def waits(handle: str = "dora") -> bool:
    info = get(UserInfo, keys.user_info(find_user_by_handle(handle)), consistent=True)
    return bool(info.waiting)


def asked(handle: str = "dora") -> str | None:
    key = keys.user_settings(find_user_by_handle(handle))
    return get(UserSettings, key, consistent=True).asked
