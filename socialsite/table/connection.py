"""The one process-wide connection to the table.

PynamoDB keeps a connection per model class unless the base class connects first; each costs a botocore client (about
150 ms and 10 MB). So everything goes through `connection()`, which connects the base `Item`, sets the endpoint and
registers hooks on the botocore client: the meter, the retries, the fast path for parsing answers and, in a web process,
the breaker. The site's own transport stands beside the client (`transport/`). Within `through` another client, of one
person's credentials, is asked in its place (`as_person.py`).
"""

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from urllib.parse import urlsplit

from botocore.config import Config
from django.conf import settings
from pynamodb.connection.table import TableConnection

from socialsite.engine.choice import choose
from socialsite.engine.program import EngineError
from socialsite.engine.running import Endpoint, ensure_running
from socialsite.environment import is_beside_owner
from socialsite.table import meter, resilience
from socialsite.table.data_state import WrongData, check_data
from socialsite.table.errors import Unavailable, translated
from socialsite.table.item import Item
from socialsite.table.resilience import Breaker, Patience, ordinary_patience, web_patience
from socialsite.table.transport import client as transport
from socialsite.table.transport.client import stand

log = logging.getLogger(__name__)

CONNECT_SECONDS = 2  # seconds that a starting web process waits for its connection
CONNECT_PAUSE = 1.0

_lock = threading.RLock()
_connected: TableConnection | None = None
_refusal: WrongData | None = None
_serves_pages = False
_other: ContextVar[Any | None] = ContextVar("other", default=None)


def connection() -> TableConnection:
    """Returns the connection, made on first use. Raises `EngineError` with one sentence if the engine cannot start or
    the table does not fit this key or this code, and `Unavailable` if that cannot be checked now.

    In a web process another thread makes it (`connect_to_serve`). Until then this raises `Unavailable` at once.
    """
    if _connected is not None:
        return _connected
    if _refusal:
        raise _refusal
    if _serves_pages:
        raise Unavailable("the table is not connected yet", was_asked=False)
    return _connect_once()


def connect_to_serve() -> None:
    """Makes this a web process, with short time limits and a breaker, and connects it.

    Returns when it is connected, or after 2 seconds, because starting the embedded engine may take longer and no
    request may wait for that. Connecting goes on in a thread. A process that is already connected (`runserver`, with
    its worker) stays as it is. Raises `WrongData` if the table does not fit this key or this code.
    """
    global _serves_pages
    if _connected is not None:
        return
    _serves_pages = True
    connecting = threading.Thread(target=_connect_until_it_works, name="connect", daemon=True)
    connecting.start()
    connecting.join(CONNECT_SECONDS)
    if _refusal:
        raise _refusal


def _connect_until_it_works() -> None:
    global _refusal
    while True:
        try:
            _connect_once()
            return
        except WrongData as error:
            log.critical("%s", error)
            _refusal = error
            return
        except EngineError as error:
            log.warning("The table is not connected yet: %s", error)
        except Exception:
            log.exception("The table is not connected yet.")
        time.sleep(CONNECT_PAUSE)


def _connect_once() -> TableConnection:
    global _connected
    with _lock:
        if _connected is None:
            # That of a try before has its hooks already, and would hear each call twice.
            Item._connection = None
            made = _connect()
            with translated():
                check_data(made.connection.client, table_name())
            _connected = made
        return _connected


def client() -> Any:
    """Returns the botocore client behind the connection, which the own transport stands beside."""
    return _other.get() or connection().connection.client


@contextmanager
def through(other: Any) -> Iterator[None]:
    """Asks another botocore client inside the block, in this thread. The own transport stays out of it, as it signs for
    its own client alone. No generator may yield inside."""
    token = _other.set(other)
    try:
        yield
    finally:
        _other.reset(token)


def asks_for_a_person() -> bool:
    """Whether this thread asks with credentials of one person alone (`through`)."""
    return _other.get() is not None


def table_name() -> str:
    return Item.Meta.table_name


def endpoint() -> str | None:
    """Returns the address of the table: the given endpoint, None for Amazon, or the embedded engine, which it starts if
    needed."""
    if settings.DYNAMODB_ENDPOINT:
        return str(settings.DYNAMODB_ENDPOINT)
    if settings.DYNAMODB_ENGINE == "amazon":
        return None
    running = _running()
    _bypass_proxies(str(urlsplit(running.url).hostname))
    return running.url


def _running() -> Endpoint:
    return ensure_running(
        project=settings.BASE_DIR,
        data_dir=settings.DATA_DIR,
        table_name=settings.DYNAMODB_TABLE,
        may_own=not is_beside_owner(),
    )


def _bypass_proxies(host: str) -> None:
    # botocore sends even loopback addresses to a proxy of the environment, unless told.
    for name in ("no_proxy", "NO_PROXY"):
        others = os.environ.get(name, "")
        if host not in others.split(","):
            os.environ[name] = f"{others},{host}".lstrip(",")


def local_credentials() -> dict[str, str]:
    """Returns credentials for botocore. The embedded engine knows its key; other local engines accept any. On Amazon
    botocore finds its own."""
    if settings.DYNAMODB_ENGINE == "amazon":
        return {}
    key = _running().access_key if settings.DYNAMODB_ENGINE == "embedded" else "local"
    return {"aws_access_key_id": key, "aws_secret_access_key": "local"}


def disconnect() -> None:
    """Drops the connection, so that the next use connects again (after the endpoint changed)."""
    global _connected, _refusal
    with _lock:
        _connected = _refusal = None
        Item._connection = None


def _connect() -> TableConnection:
    patience = web_patience() if _serves_pages else ordinary_patience()
    Item.Meta.host = endpoint()
    Item.Meta.connect_timeout_seconds = Item.Meta.read_timeout_seconds = patience.seconds
    for name, value in local_credentials().items():
        setattr(Item.Meta, name, value)
    made = Item._get_connection()
    # Rebuilding botocore's long user agent for every call costs 3 % of a page's data.
    made.connection.session.set_default_client_config(Config(user_agent="socialsite"))
    events = made.connection.client.meta.events
    hook(events, patience)
    if settings.DYNAMODB_ENGINE == "embedded":
        choose(settings.DATA_DIR).fit(made.connection.client)
    # PynamoDB's listener adds headers, of which there are none, and nobody else may look at what is sent unnoticed.
    events.unregister("before-send.*.*", made.connection._before_send)
    stand(made.connection.client, session=made.connection.session, patience=patience)
    return made


def hook(events: Any, patience: Patience) -> None:
    """Registers the site's hooks on a botocore client's events."""
    meter.register(events)
    resilience.register(events, patience)
    if patience.has_breaker:
        Breaker().register(events)
    transport.register(events)
