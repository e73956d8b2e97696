"""Keeps letters as files in the data folder, where no mail server is set: on a laptop, and for a site without mail.

Under `runserver` the page `/dev/mail` shows them (`operations/dev_mail.py`), and the console names each.
"""

import logging
from collections.abc import Sequence
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage as DjangosMessage
from django.core.mail.backends.base import BaseEmailBackend

from socialsite.private_files import FOLDER_MODE, create_private
from socialsite.table import ids

MOST_KEPT = 200

log = logging.getLogger(__name__)


class FolderBackend(BaseEmailBackend):
    """The `EMAIL_BACKEND` that writes `<id>.eml` files, and keeps the newest 200."""

    def send_messages(self, email_messages: Sequence[DjangosMessage]) -> int:
        folder = mail_folder()
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        for message in email_messages:
            name = f"{ids.new_id()}.eml"
            create_private(folder / name, message.message().as_string())
            log.info("kept a letter (see /dev/mail in debug mode): %s", message.subject)
        for file in sorted(folder.glob("*.eml"), reverse=True)[MOST_KEPT:]:
            file.unlink(missing_ok=True)
        return len(email_messages)


def mail_folder() -> Path:
    return Path(settings.DATA_DIR) / "mail"


def list_letters() -> list[tuple[str, EmailMessage]]:
    """Returns the kept letters with their ids, the newest first."""
    files = sorted(mail_folder().glob("*.eml"), reverse=True)
    return [(file.stem, _read(file)) for file in files]


def read_letter(letter_id: str) -> EmailMessage | None:
    """Returns a kept letter, None if there is none."""
    file = mail_folder() / f"{letter_id}.eml"
    return _read(file) if file.is_file() else None


def _read(file: Path) -> EmailMessage:
    parser: BytesParser[Any] = BytesParser(policy=policy.default)
    message = parser.parsebytes(file.read_bytes())
    assert isinstance(message, EmailMessage)
    return message
