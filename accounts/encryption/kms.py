"""A master key that never leaves AWS KMS.

KMS wraps and unwraps each key itself, and checks the context (the scope and the person) of each request. Its own log
says which role asked for whose key.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.session import get_session
from cryptography.exceptions import InvalidTag
from django.conf import settings

from socialsite.table.errors import error_code, translated

Context = dict[str, str]

PREFIX = "kms:"
CONFIG = Config(
    connect_timeout=1.0,
    read_timeout=2.0,
    retries={"mode": "standard", "total_max_attempts": 2},
    user_agent="socialsite",
)
# Another context, another key, bytes that were altered, or a key that was destroyed.
UNREADABLE = {"IncorrectKeyException", "InvalidCiphertextException", "NotFoundException"}


class KmsMaster:
    """A key of AWS KMS, by its ARN. A wrapped key has about 200 bytes.

    Every method makes one call. Each raises `Unavailable` while KMS does not answer, or refuses because the key is
    disabled or the role lacks the right.
    """

    def __init__(self, arn: str) -> None:
        self.arn = arn
        self.id = f"{PREFIX}{arn}"

    def new_secret(self, context: Context) -> tuple[bytes, bytes]:
        made = self._call("generate_data_key", context, KeyId=self.arn, KeySpec="AES_256")
        return bytes(made["Plaintext"]), bytes(made["CiphertextBlob"])

    def wrap(self, secret: bytes, context: Context) -> bytes:
        made = self._call("encrypt", context, KeyId=self.arn, Plaintext=secret)
        return bytes(made["CiphertextBlob"])

    def unwrap(self, wrapped: bytes, context: Context) -> bytes:
        """Raises `cryptography.exceptions.InvalidTag` if this is not what was wrapped with this key and context."""
        made = self._call("decrypt", context, KeyId=self.arn, CiphertextBlob=wrapped)
        return bytes(made["Plaintext"])

    def rewrap_within_kms(self, wrapped: bytes, context: Context, *, earlier: "KmsMaster") -> bytes:
        """Returns what an earlier key of KMS wrapped, wrapped with this one. No process sees the key meanwhile."""
        with _refusals_translated():
            made = _client(self.arn).re_encrypt(
                CiphertextBlob=wrapped,
                SourceKeyId=earlier.arn,
                SourceEncryptionContext=context,
                DestinationKeyId=self.arn,
                DestinationEncryptionContext=context,
            )
        return bytes(made["CiphertextBlob"])

    def _call(self, operation: str, context: Context, **request: Any) -> dict[str, Any]:
        with _refusals_translated():
            answer: dict[str, Any] = getattr(_client(self.arn), operation)(
                EncryptionContext=context, **request
            )
        return answer


def kms_masters() -> list[KmsMaster]:
    """Returns all keys of the settings, the current one first. None without `KMS_KEY_ID` and earlier ones."""
    arns = [settings.KMS_KEY_ID, *settings.KMS_KEY_FALLBACKS]
    return [KmsMaster(arn) for arn in arns if arn]


@contextmanager
def _refusals_translated() -> Iterator[None]:
    with translated():
        try:
            yield
        except ClientError as error:
            if error_code(error) in UNREADABLE:
                raise InvalidTag(error_code(error)) from error
            raise


@cache
def _client(arn: str) -> Any:
    region = arn.split(":")[3]
    return get_session().create_client("kms", region_name=region, config=CONFIG)
