"""Someone who signed up on the page, and the links that their inbox gets."""

from django.test import Client

from accounts.middleware import SESSION_SECRET
from accounts.models import Credentials
from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.people.viewer import Viewer
from accounts.sessions import get_viewer, hash_secret
from socialsite.table import get, keys
from tests.accounts.letters import send_letters
from tests.conftest import PASSWORD

DORA = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": PASSWORD}


def sign_up(**changes: str) -> Client:
    browser = Client()
    assert browser.post("/signup", DORA | changes).status_code == 302
    return browser


def viewer(handle: str = "dora") -> Viewer:
    user_id = find_user_by_handle(handle)
    return Viewer(user_id, "", get_user_info(user_id))


def as_read(browser: Client, person: Viewer) -> Viewer:
    """The viewer of the browser's next request."""
    return get_viewer(person.user_id, hash_secret(browser.session[SESSION_SECRET]))[0]


def links(to: str = "") -> list[str]:
    """The paths of the links that went to a mailbox, or to any."""
    return [letter.path for letter in send_letters() if to in ("", letter.to)]


def press(path: str, browser: Client | None = None):
    return (browser or Client()).post(path)


def credentials(person: Viewer) -> Credentials:
    return get(Credentials, keys.credentials(person.user_id), consistent=True)
