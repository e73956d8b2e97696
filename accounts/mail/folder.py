"""Keeps letters as files in the data folder, where no mail server is set: on a laptop, and for a site without mail.

They can be read by whoever reads the folder, so each ends after 30 days, and with its person's account. Under
`runserver` the page `/dev/mail` shows them (`operations/pages.py`), and the console names each.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage as DjangosMessage
from django.core.mail.backends.base import BaseEmailBackend

from accounts.mail.letters import LetterMessage
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import due_work, plan
from socialsite.private_files import FOLDER_MODE, create_private
from socialsite.table import AlreadyExists, access_pattern, ids, transact

MOST_KEPT = 200
KEPT = timedelta(days=30)
END = "end-letters"  # the kind of due work
PERSON = "X-Person"  # a header of the file alone

folder_log = logging.getLogger(__name__)


class FolderBackend(BaseEmailBackend):
    """The `EMAIL_BACKEND` that writes `<id>.eml` files, and keeps the newest 200."""

    def send_messages(self, email_messages: Sequence[DjangosMessage]) -> int:
        folder = mail_folder()
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        for message in email_messages:
            name, head, kind = f"{ids.new_id()}.eml", "", ""
            if isinstance(message, LetterMessage):
                head, kind = f"{PERSON}: {message.user_id}\n", message.kind
            create_private(folder / name, head + message.message().as_string())
            folder_log.info("kept a letter (see /dev/mail in debug mode): %s", kind)
        for file in sorted(folder.glob("*.eml"), reverse=True)[MOST_KEPT:]:
            file.unlink(missing_ok=True)
        end_old_letters()
        with suppress(AlreadyExists):
            plan_end()
        return len(email_messages)


@access_pattern
def plan_end() -> None:
    """Has the clock look for old letters once those of today are. Raises `AlreadyExists` if a letter of today has done
    so. One TransactWriteItems, 2 write units."""
    today = utc_now().date()
    after = datetime.combine(today + KEPT + timedelta(days=1), time(tzinfo=UTC))
    transact(plan(END, moment=after, subject=today.isoformat()))


@due_work(END)
def end_when_due(due: Due) -> None:
    """Deletes letters that are older than 30 days. Safe to run twice."""
    end_old_letters()


def end_old_letters() -> None:
    oldest = (utc_now() - KEPT).timestamp()
    for file in mail_folder().glob("*.eml"):
        with suppress(FileNotFoundError):  # another process was quicker
            if file.stat().st_mtime < oldest:
                file.unlink()


def end_letters_of(user_id: str, *, address: str = "") -> None:
    """Deletes the letters to a person, with `address` also those of versions that did not note whose they are."""
    for file in mail_folder().glob("*.eml"):
        with suppress(FileNotFoundError):
            letter = _read(file)
            if letter[PERSON] == user_id or (address and letter["To"] == address):
                file.unlink()


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
