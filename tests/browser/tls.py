"""The site of a test over https, on a port of its own, with a certificate that one browser is told to trust."""

import base64
import hashlib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from django.test.testcases import LiveServerThread

from operations.serving.nginx import make_certificate

HOST = "127.0.0.1"


class _Thread(LiveServerThread):
    """Django's server for tests, with TLS."""

    context: ssl.SSLContext

    def _create_server(self, connections_override: Any = None) -> Any:
        server = super()._create_server(connections_override)
        wrapped = self.context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
        server.socket = wrapped
        server.base_environ["HTTPS"] = "on"  # so the site knows how it is asked
        return server


@contextmanager
def served_over_tls(folder: Path) -> Iterator[tuple[str, str]]:
    """Yields host and port of the site, and the argument with which Chromium trusts its certificate, and no other."""
    file = folder / "certificate.pem"
    file.write_text(made := make_certificate([HOST]))
    # Django would answer for static files and uploads itself, without the headers that the site gives them.
    thread = _Thread(HOST, lambda uploads: uploads.application, connections_override={}, port=0)
    thread.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    thread.context.load_cert_chain(file)
    thread.daemon = True
    thread.start()
    thread.is_ready.wait()
    try:
        yield f"{HOST}:{thread.port}", f"--ignore-certificate-errors-spki-list={_key_hash(made)}"
    finally:
        thread.terminate()


def _key_hash(made: str) -> str:
    """Returns how Chromium names the key of a certificate."""
    key = x509.load_pem_x509_certificate(made.encode()).public_key()
    encoded = key.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return base64.b64encode(hashlib.sha256(encoded).digest()).decode()
