"""Where the own way may be used, and where botocore asks instead: for listeners that may replace a request, too."""

import pytest
from botocore.session import get_session
from django.core.exceptions import ImproperlyConfigured

from accounts.models import UserCount
from socialsite.environment import dynamodb_transport
from socialsite.table import NotFound, get, keys
from socialsite.table.connection import client, connection, disconnect
from socialsite.table.resilience import ordinary_patience
from socialsite.table.transport import client as transport
from socialsite.table.transport.client import OPERATIONS, REPLACING, way_of
from tests import crossing
from tests.injected.hook import Hook

REAL = pytest.mark.engines("embedded", "dynamodb-local", reason="moto answers inside botocore")


def read():
    with pytest.raises(NotFound):
        get(UserCount, keys.user_count("nobody"))


@pytest.fixture
def stand(monkeypatch):
    """`stand(url)`: whether the own way may be used for a client of this address. Nothing is sent."""
    monkeypatch.setattr(transport, "_standing", None)

    def at(url="https://dynamodb.us-east-1.amazonaws.com", **config):
        session = get_session()
        session.set_credentials("a key", "a secret")
        for name, value in config.items():
            session.set_config_variable(name, value)
        made = session.create_client("dynamodb", "us-east-1", endpoint_url=url)
        transport.stand(made, session=session, patience=ordinary_patience())
        return way_of(made, "Query")

    return at


@REAL
def test_it_is_used_unless_it_is_turned_off(table, settings):
    assert all(way_of(client(), operation) for operation in OPERATIONS)
    settings.DYNAMODB_TRANSPORT = "botocore"
    disconnect()
    assert not any(way_of(client(), operation) for operation in OPERATIONS)
    read()
    settings.DYNAMODB_TRANSPORT = "own"
    disconnect()
    assert way_of(client(), "Query")


@pytest.mark.engines("moto", reason="the others are asked directly")
def test_moto_hears_each_request(table):
    assert not any(way_of(client(), operation) for operation in OPERATIONS)


def test_the_setting_has_two_values():
    assert dynamodb_transport({}) == dynamodb_transport({"DYNAMODB_TRANSPORT": "own"}) == "own"
    assert dynamodb_transport({"DYNAMODB_TRANSPORT": "botocore"}) == "botocore"
    with pytest.raises(ImproperlyConfigured, match="Set it to own or botocore"):
        dynamodb_transport({"DYNAMODB_TRANSPORT": "http3"})


@REAL
@pytest.mark.parametrize("event", REPLACING)
def test_whoever_may_replace_a_request_gets_botocore(table, event):
    heard = []

    def listen(event_name, **_):
        heard.append(event_name)

    events, name = client().meta.events, f"{event}.dynamodb"
    events.register(name, listen)
    try:
        read()
        assert heard == [f"{event}.dynamodb.GetItem"]
    finally:
        events.unregister(name, listen)
    read()
    assert len(heard) == 1
    assert way_of(client(), "GetItem")


@REAL
def test_a_listener_to_one_operation_leaves_the_others(table):
    with Hook().hooked(client()):
        assert not any(way_of(client(), operation) for operation in OPERATIONS)
    with crossing.meanwhile(lambda: None, before="Query"):
        found = {operation for operation in OPERATIONS if way_of(client(), operation)}
    assert found == {*OPERATIONS} - {"Query"}


@REAL
def test_it_belongs_to_one_client(table):
    session = get_session()
    session.set_credentials("a key", "a secret")
    other = session.create_client("dynamodb", "us-east-1", endpoint_url="http://127.0.0.1:9")
    assert way_of(other, "Query") is None
    assert connection().connection.client is way_of(client(), "Query").client


@REAL
def test_it_stands_at_the_address_of_a_region(stand):
    assert stand()
    assert stand("http://[::1]:8000")


@REAL
def test_it_does_not_stand_behind_a_proxy(stand, monkeypatch):
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:3128")
    assert stand() is None
    monkeypatch.setenv("no_proxy", "amazonaws.com")
    assert stand()


@REAL
@pytest.mark.parametrize(
    ("name", "value"),
    [("NO_PROXY", "localhost"), ("no_proxy", "localhost"), ("http_proxy", "http://127.0.0.1:3128")],
)
def test_it_stands_where_no_proxy_is_set_for_its_scheme(stand, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert stand()


@pytest.mark.parametrize(
    ("url", "config"),
    [
        ("http://127.0.0.1:8000/path", {}),
        ("http://127.0.0.1:8000/?query", {}),
        ("https://dynamodb.us-east-1.amazonaws.com", {"account_id_endpoint_mode": "required"}),
        ("https://dynamodb.us-east-1.amazonaws.com", {"ca_bundle": "/nowhere.pem"}),
    ],
)
def test_it_does_not_stand_where_botocore_does_more(stand, url, config):
    assert stand(url, **config) is None
