"""What tests of origins share: signing in from an address, and what the table then holds."""

from django.test import Client

from accounts.models import OriginTrace
from accounts.people.viewer import Viewer
from accounts.sign_in.browsers import NOWHERE, OriginKind, Origins
from accounts.sign_in.writes import sign_in
from socialsite.table import as_model, keys, query
from tests.conftest import PASSWORD, epoch_of

HOME, SCHOOL = "203.0.113.7", "198.51.100.20"


def come(person: Viewer, address: str = HOME, browser: Client | None = None) -> Client:
    """Signs in on the page, and out again: in a new browser, or in this one."""
    browser = browser or Client()
    form = {"account": person.card.handle, "password": PASSWORD}
    assert browser.post("/login", form, REMOTE_ADDR=address).status_code == 302
    browser.post("/logout")
    return browser


def note(person: Viewer, network: str = "", browser: str = "") -> None:
    """A sign-in from there, without a page."""
    origins = Origins(network, browser) if network or browser else NOWHERE
    sign_in(user_id=person.user_id, browser="tests", epoch=epoch_of(person), origins=origins)


def traces(person: Viewer) -> list[OriginTrace]:
    found = query(keys.origin_traces(person.user_id), consistent=True)
    return [as_model(OriginTrace, raw) for raw in found]


def codes(person: Viewer, kind: OriginKind) -> set[str]:
    """The codes of the networks or browsers that are noted for someone."""
    return {trace.hmac for trace in traces(person) if trace.kind == kind}
