"""The site under measurement: an engine and tables of its own, and its pages as a web server would ask for them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO
from typing import Any
from wsgiref.util import setup_testing_defaults

from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.test.utils import override_settings

from accounts.middleware import SESSION_SECRET, SESSION_USER
from benchmarks import naive
from benchmarks.data import SECRET
from socialsite.engine import process
from socialsite.engine.dynoxide import DYNOXIDE
from socialsite.table import Item
from socialsite.table.connection import disconnect
from socialsite.table.schema import create_table


@contextmanager
def engine() -> Iterator[process.Engine]:
    """An engine on a file in the benchmark's folder, with the site pointed at it."""
    running = process.start(DYNOXIDE, settings.BASE_DIR, settings.DATA_DIR, die_with_starter=True)
    try:
        settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_ENGINE = running.url, "endpoint"
        disconnect()
        # No page reads the stream, and the engine would keep a record of every item of a large table in it.
        del Item.Meta.stream_view_type
        naive.connect(running.url)
        call_command("collectstatic", interactive=False, verbosity=0)
        yield running
    finally:
        process.stop(running)


def make_table(name: str) -> None:
    with table(name):
        create_table()


@contextmanager
def table(name: str) -> Iterator[None]:
    """What is read inside the block is read from this table."""
    before = Item.Meta.table_name
    Item.Meta.table_name = name
    try:
        yield
    finally:
        Item.Meta.table_name = before


CSRF_TOKEN = "c" * 32


def session_key_of(user_id: str) -> str:
    """Returns the session of someone who is signed in with `SECRET`."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_USER], session[SESSION_SECRET] = user_id, SECRET
    session.save()
    return str(session.session_key)


def cookies_of(session_key: str) -> str:
    return f"{settings.SESSION_COOKIE_NAME}={session_key}; {settings.CSRF_COOKIE_NAME}={CSRF_TOKEN}"


class Browser:
    """Someone signed in, asking for pages over https; it takes them compressed, as browsers do. The site can be one
    without some middleware, and the browser have more cookies."""

    def __init__(self, user_id: str, *, without: str = "", cookies: str = "") -> None:
        kept = [name for name in settings.MIDDLEWARE if name != without]
        with override_settings(MIDDLEWARE=kept):
            self._application = get_wsgi_application()
        self.session_key = session_key_of(user_id)
        self.cookie = f"{cookies_of(self.session_key)}{cookies}"

    def page(
        self,
        address: str,
        *,
        query: str = "",
        encoding: str = "gzip, deflate, br",
        language: str = "en",
    ) -> Callable[[], bytes]:
        """Asks for the page each time it is called."""
        environ: dict[str, Any] = {
            "PATH_INFO": address,
            "QUERY_STRING": query,
            "HTTP_HOST": "localhost",
            "HTTP_COOKIE": self.cookie,
            "HTTP_ACCEPT_LANGUAGE": language,
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.url_scheme": "https",
        }
        if encoding:
            environ["HTTP_ACCEPT_ENCODING"] = encoding
        setup_testing_defaults(environ)

        def ask() -> bytes:
            statuses: list[str] = []

            def start(
                status: str, headers: list[tuple[str, str]], *_: Any
            ) -> Callable[[bytes], None]:
                statuses.append(status)
                return lambda _: None

            body = self._application({**environ, "wsgi.input": BytesIO()}, start)
            content = b"".join(body)
            body.close()
            if statuses != ["200 OK"]:
                raise RuntimeError(f"{address} answered {statuses}")
            return content

        return ask
