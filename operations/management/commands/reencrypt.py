"""`manage.py reencrypt`: brings everything that the table keeps encrypted under the present keys.

It seals private values with their person's own key, wraps these keys with the current master key of their group, and
moves what was made with an earlier `DATA_KEY`. Works while the site runs. Finished work stays done, so an interrupted
run can simply be started again.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from cryptography.exceptions import InvalidTag
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from accounts.credentials.reencrypt import EmailClaimed, reencrypt
from accounts.encryption.person_keys import NoPersonKey, list_person_keys, master_for, rewrap
from accounts.encryption.site_keys import reencrypt_retired_keys, retire_key
from accounts.models import Credentials, DomainEntry
from accounts.permissions import list_staff_ids
from notifications.push.site_key import reencrypt_site_keys
from operations.management.command_errors import command_errors
from relations.models import Relation
from relations.relation import seal_earlier_note
from socialsite.data_keys import current_key, data_keys
from socialsite.table import NotFound, RawItem, keys, row, translated
from socialsite.table.connection import client, table_name
from socialsite.table.data_state import forget_earlier_keys
from socialsite.table.reading import scan

PASSES = 5  # until a pass finds nothing to do, because people sign up and change settings meanwhile

Pass = Callable[[Callable[[], None]], tuple[int, list[str]]]


class Command(BaseCommand):
    help = "Encrypts everything with the present keys, so that earlier ones can be removed. Safe to repeat."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--keys",
            action="store_true",
            help="only wrap people's keys again, without looking through the table; for a new key of AWS KMS, "
            "and, with a key for staff, after roles changed",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            if options["keys"]:
                self._only_keys()
            else:
                self._everything()

    def _only_keys(self) -> None:
        if len(data_keys()) > 1:
            raise CommandError("DATA_KEY is being replaced too. Run the command without --keys.")
        self._wrap_keys()
        with translated():
            forget_earlier_keys(client(), table_name())

    def _everything(self) -> None:
        total = self._until_done("encrypting again", _pass_over_values)
        self.stdout.write(f"Encrypted {total} accounts and notes. The key is {current_key().id}.")
        self._wrap_keys()
        reencrypt_retired_keys()
        reencrypt_site_keys()
        for earlier in data_keys()[1:]:
            retire_key(earlier)
        with translated():
            forget_earlier_keys(client(), table_name())
        if len(data_keys()) > 1:
            self.stdout.write("You can now remove DATA_KEY_FALLBACKS and restart the site.")

    def _wrap_keys(self) -> None:
        wrapped = self._until_done("wrapping keys", _pass_over_keys)
        master, of_staff = master_for(is_staff=False).id, master_for(is_staff=True).id
        also = f", and those of staff with {of_staff}" if of_staff != master else ""
        self.stdout.write(f"Wrapped {wrapped} keys with the master key {master}{also}.")
        if settings.KMS_KEY_FALLBACKS:
            self.stdout.write("You can now remove KMS_KEY_FALLBACKS and restart the site.")

    def _until_done(self, title: str, work: Pass) -> int:
        total = 0
        for _ in range(PASSES):
            done, problems = self._with_progress(title, work)
            total += done
            for problem in problems:
                self.stderr.write(problem)
            if problems:
                raise CommandError(f"{len(problems)} accounts keep their earlier key.")
            if not done:
                return total
        raise CommandError(
            "Some processes still use an earlier key. Restart them with the current one, "
            "then run the command again."
        )

    def _with_progress(self, title: str, work: Pass) -> tuple[int, list[str]]:
        """Returns how many were changed in one pass, and a sentence for each that could not be."""
        columns = SpinnerColumn(), TextColumn("{task.description}: {task.completed:,}")
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(title)
            return work(lambda: progress.advance(task))


def _pass_over_values(advance: Callable[[], None]) -> tuple[int, list[str]]:
    done, problems = 0, []
    unlisted, listed = set[str](), set[str]()  # under the domain of their address

    def bring(user_id: str) -> None:
        nonlocal done
        try:
            done += reencrypt(user_id)
        except NoPersonKey:
            problems.append(_erased(user_id))
        except NotFound:  # gone since it was read
            return
        except (InvalidTag, EmailClaimed) as error:
            problems.append(_sentence(user_id, error))

    for raw in scan():
        kind = raw.get("type", {}).get("S")  # a damaged item is named by `audit`
        if kind == Relation.__name__:
            with suppress(NotFound):  # their owner is gone
                done += seal_earlier_note(raw)
        elif kind == DomainEntry.__name__:
            listed.add(row(DomainEntry, raw).user_id)
        elif kind == Credentials.__name__:
            advance()
            credentials = row(Credentials, raw)
            if _may_be_earlier(raw):
                bring(credentials.user_id)
            elif credentials.email:
                unlisted.add(credentials.user_id)
    for user_id in sorted(unlisted - listed):  # from before there were entries of domains
        bring(user_id)
    return done, problems


def _pass_over_keys(advance: Callable[[], None]) -> tuple[int, list[str]]:
    done, problems = 0, []
    staff = list_staff_ids() if settings.KMS_KEY_OF_STAFF else set()
    masters = {is_staff: master_for(is_staff=is_staff) for is_staff in (False, True)}
    for shard in range(keys.KEY_SHARDS):
        for stored in list_person_keys(shard):
            advance()
            try:
                done += rewrap(stored, master=masters[stored.user_id in staff])
            except InvalidTag as error:
                problems.append(_sentence(stored.user_id, error))
    return done, problems


def _may_be_earlier(raw: RawItem) -> bool:
    """Whether values are not sealed yet, or a claim may have been made with an earlier `DATA_KEY`."""
    credentials = row(Credentials, raw)
    values = credentials.email, credentials.wished_email, credentials.totp
    return len(data_keys()) > 1 or any(isinstance(value, str) for value in values)


def _sentence(user_id: str, error: Exception) -> str:
    if isinstance(error, EmailClaimed):
        return f"The account {user_id} has the same email as another one. Remove one of the two."
    return (
        f"No key fits the account {user_id}. Add the key that it was made with to "
        "DATA_KEY_FALLBACKS or KMS_KEY_FALLBACKS, then run the command again."
    )


def _erased(user_id: str) -> str:
    return f"The key of the account {user_id} was erased, but its credentials are still there."
