"""Says where the own way may stand: at an address reached directly, unless `DYNAMODB_TRANSPORT` forbids it.

It asks the regional address of DynamoDB, also where botocore would take the one with the account's number in it.
"""

import os
import ssl
from typing import Any
from urllib.parse import urlsplit

from botocore.httpsession import get_cert_path
from botocore.utils import get_environ_proxies
from django.conf import settings

from socialsite.table.resilience.patience import Patience
from socialsite.table.transport.own import OwnWay
from socialsite.table.transport.wire import Wire

PORTS = {"http": 80, "https": 443}

_standing: OwnWay | None = None


def stand(client: Any, *, session: Any, patience: Patience) -> None:
    """Makes the own way for this client of botocore's, instead of the last one, or none where it may not be used."""
    global _standing
    if _standing is not None:
        _standing.wire.forget()
    url = client.meta.endpoint_url
    _standing = _own_way(client, session, patience) if _is_allowed(client, url) else None


def way_of(client: Any, operation: str) -> OwnWay | None:
    """Returns the own way of this client, if it can be used for the operation now."""
    own = _standing
    if own is None or own.client is not client or not own.is_open_to(operation):
        return None
    return own


def _is_allowed(client: Any, url: str) -> bool:
    parts = urlsplit(url)
    return (
        settings.DYNAMODB_TRANSPORT == "own"
        and parts.scheme in PORTS
        and parts.path in ("", "/")
        and not parts.query
        and client.meta.config.account_id_endpoint_mode != "required"
        and parts.scheme not in get_environ_proxies(url)  # `NO_PROXY` alone is among them
    )


def _own_way(client: Any, session: Any, patience: Patience) -> OwnWay | None:
    parts = urlsplit(client.meta.endpoint_url)
    host, default = str(parts.hostname), PORTS[parts.scheme]
    port = parts.port or default
    try:
        tls = _tls(session) if parts.scheme == "https" else None
    except OSError:  # no such file: botocore says so at each call
        return None
    written = f"[{host}]" if ":" in host else host
    wire = Wire(host, port, seconds=patience.seconds, tls=tls)
    return OwnWay(
        client,
        wire,
        host=written if port == default else f"{written}:{port}",
        patience=patience,
    )


def _tls(session: Any) -> ssl.SSLContext:
    # The certificates that botocore trusts.
    bundle = session.get_config_variable("ca_bundle") or os.environ.get("REQUESTS_CA_BUNDLE")
    return ssl.create_default_context(cafile=get_cert_path(bundle or True))
