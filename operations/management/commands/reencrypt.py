"""`manage.py reencrypt`: brings everything that the table keeps encrypted under the current `DATA_KEY`.

Works while the site runs. Finished work stays done, so an interrupted run can simply be started again.
"""

from typing import Any

from cryptography.exceptions import InvalidTag
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from accounts.encryption.encrypted_text import is_current
from accounts.encryption.retired_keys import reencrypt_retired_keys, retire_key
from accounts.models import Credentials
from accounts.services.reencrypt import EmailClaimed, reencrypt
from operations.management.command_errors import command_errors
from socialsite.data_keys import current_key, data_keys
from socialsite.table.connection import client, table_name
from socialsite.table.data_state import forget_earlier_keys
from socialsite.table.errors import NotFound, translated
from socialsite.table.reading import RawItem, scan
from socialsite.table.row import row

PASSES = 5  # until a pass finds nothing to do, because people sign up and change settings meanwhile


class Command(BaseCommand):
    help = "Encrypts everything with the current DATA_KEY, so that earlier ones can be removed. Safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            total = self._reencrypt_accounts()
            reencrypt_retired_keys()
            for earlier in data_keys()[1:]:
                retire_key(earlier)
            with translated():
                forget_earlier_keys(client(), table_name())
        self.stdout.write(f"Encrypted {total} accounts with the key {current_key().id}.")
        if len(data_keys()) > 1:
            self.stdout.write("You can now remove DATA_KEY_FALLBACKS and restart the site.")

    def _reencrypt_accounts(self) -> int:
        total = 0
        for _ in range(PASSES):
            done, problems = self._pass()
            total += done
            for problem in problems:
                self.stderr.write(problem)
            if problems:
                raise CommandError(f"{len(problems)} accounts keep their earlier key.")
            if not done:
                return total
        raise CommandError(
            "Some processes still use an earlier DATA_KEY. Restart them with the current one, "
            "then run the command again."
        )

    def _pass(self) -> tuple[int, list[str]]:
        """Returns how many accounts were encrypted again, and a sentence for each that could not be."""
        done, problems = 0, []
        columns = SpinnerColumn(), TextColumn("{task.description}: {task.completed:,} accounts")
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("encrypting again")
            for raw in scan():
                if raw["type"]["S"] != Credentials.__name__:
                    continue
                progress.advance(task)
                try:
                    done += _is_earlier(raw) and reencrypt(row(Credentials, raw).user_id)
                except NotFound:  # gone since it was read
                    continue
                except (InvalidTag, EmailClaimed) as error:
                    problems.append(_sentence(raw, error))
        return done, problems


def _is_earlier(raw: RawItem) -> bool:
    credentials = row(Credentials, raw)
    encrypted = credentials.email, credentials.totp
    return not all(is_current(text) for text in encrypted if text)


def _sentence(raw: RawItem, error: Exception) -> str:
    user_id = row(Credentials, raw).user_id
    if isinstance(error, EmailClaimed):
        return f"The account {user_id} has the same email as another one. Remove one of the two."
    return (
        f"No key fits the account {user_id}. Add the key that it was made with to "
        "DATA_KEY_FALLBACKS, then run the command again."
    )
