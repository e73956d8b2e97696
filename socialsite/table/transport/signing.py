"""Signs requests to DynamoDB with Signature Version 4.

botocore derives the key of the day anew for each request and walks each header several times. Here the key is kept for
as long as secret and day are the same.
"""

import hmac
import time
from hashlib import sha256
from typing import Any

SERVICE = "dynamodb"
NOT_SIGNED = {"user-agent", "x-amzn-trace-id"}  # as botocore: proxies may change them


class Signer:
    """The signer of one region. Safe to use from many threads."""

    def __init__(self, region: str) -> None:
        self._region = region
        self._kept: tuple[str, str, bytes] = ("", "", b"")  # secret, day and their key

    def sign(self, headers: dict[str, str], body: bytes, credentials: Any) -> None:
        """Adds the date, the token if there is one, and the signature to a request's headers, which name the host.
        `credentials` are botocore's, frozen."""
        moment = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        headers["X-Amz-Date"] = moment
        if credentials.token:
            headers["X-Amz-Security-Token"] = credentials.token
        lines = {name.lower(): value for name, value in headers.items()}
        names = sorted(lines.keys() - NOT_SIGNED)
        signed = ";".join(names)
        listed = "\n".join([f"{name}:{lines[name]}" for name in names])
        asked = f"POST\n/\n\n{listed}\n\n{signed}\n{sha256(body).hexdigest()}"
        scope = f"{moment[:8]}/{self._region}/{SERVICE}/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{sha256(asked.encode()).hexdigest()}"
        key = self._key_of(moment[:8], credentials.secret_key)
        signature = hmac.digest(key, text.encode(), "sha256").hex()
        headers["Authorization"] = (
            f"AWS4-HMAC-SHA256 Credential={credentials.access_key}/{scope}, "
            f"SignedHeaders={signed}, Signature={signature}"
        )

    def _key_of(self, day: str, secret: str) -> bytes:
        kept_secret, kept_day, key = self._kept
        if kept_secret != secret or kept_day != day:
            key = f"AWS4{secret}".encode()
            for part in (day, self._region, SERVICE, "aws4_request"):
                key = hmac.digest(key, part.encode(), "sha256")
            self._kept = (secret, day, key)
        return key
