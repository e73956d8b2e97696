"""Over TLS, as with Amazon: certificates are checked, with those that botocore trusts."""

import ssl

import pytest
from django.conf import settings

from accounts.models import UserCount
from operations.serving.nginx import make_certificate
from socialsite.table import Unavailable, create, get, keys
from socialsite.table.connection import client, disconnect
from socialsite.table.transport.client import way_of
from tests.table.transport.front import standing_before
from tests.web.conftest import table_at

pytestmark = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto answers inside botocore, so the own way stays shut"
)


@pytest.fixture
def certificate(tmp_path):
    file = tmp_path / "tls.pem"
    file.write_text(make_certificate(["127.0.0.1"]))
    return str(file)


@pytest.fixture
def secure_front(table, certificate, monkeypatch):
    """The table over TLS, with a certificate that this process trusts."""
    create(UserCount.new(user_id="A"))
    engine = settings.DYNAMODB_ENDPOINT
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate)
    monkeypatch.setenv("AWS_CA_BUNDLE", certificate)
    with standing_before(engine, tls=tls) as front, table_at(front.url):
        yield front


def read():
    return get(UserCount, keys.user_count("A"))


def test_calls_are_answered_over_one_kept_connection(secure_front, given_up):
    read()
    connections = secure_front.connections
    for _ in range(5):
        assert read().user_id == "A"
    assert way_of(client(), "GetItem")
    assert given_up() == {}
    assert secure_front.connections <= connections + 1  # a late ticket of TLS 1.3 may cost one


def test_a_certificate_that_nobody_trusts_is_refused_in_both_ways(
    secure_front, given_up, monkeypatch
):
    read()
    way_of(client(), "GetItem").wire._tls = ssl.create_default_context()
    way_of(client(), "GetItem").wire.forget()
    assert read().user_id == "A"  # by botocore, which trusts it
    assert given_up() == {"tls": 1}
    monkeypatch.delenv("AWS_CA_BUNDLE")
    disconnect()
    with pytest.raises(Unavailable, match="CERTIFICATE_VERIFY_FAILED"):
        read()
