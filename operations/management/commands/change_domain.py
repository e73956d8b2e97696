"""`manage.py change_domain OLD NEW`: says what a move means here, and writes to people with passkeys."""

import re
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.people.reads import get_handle
from operations.domain import Bound, find_bound, tell_of_domain
from operations.management.command_errors import command_errors, site_place

HOST = re.compile(
    r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]"
)
NAMED = 20  # people who are named in a list

ENV = """The settings from then on:
    ALLOWED_HOSTS={new},{old}
    SITE_URL=https://{new}
    PASSKEY_DOMAIN={old}
    PASSKEY_RELATED=https://{new}
    MAIL_FROM and MAIL_RETURN: at {new}, once `manage.py sendtestemail` says that its records are right"""

NGINX = """nginx leads the old domain on, but for what cannot be led on. Where tools/install-service set it up,
write this to a file such as /etc/socialsite/nginx.d/old.conf, which upgrades leave alone:
    server {{
        listen 443 ssl;
        server_name {old};
        ssl_certificate … ; ssl_certificate_key … ;     # of {old}: renew it as long as passkeys and links live
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Request-ID $request_id;
        location = /.well-known/webauthn {{ proxy_pass http://inner; }}
        location /u/ {{ proxy_pass http://inner; }}
        location / {{ return 308 https://{new}$request_uri; }}
    }}"""


class Command(BaseCommand):
    help = "Says what is bound to the old domain, and writes to people with passkeys. Changes no setting."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("old", help="such as example.org")
        parser.add_argument("new", help="such as example.net")
        parser.add_argument("--dry-run", action="store_true", help="write to nobody")

    def handle(self, *args: Any, old: str, new: str, dry_run: bool, **options: Any) -> None:
        old, new = old.lower().rstrip("."), new.lower().rstrip(".")
        for name in (old, new):
            if not HOST.fullmatch(name):
                raise CommandError(f"{name} is no domain. Write it as in example.org.")
        if old == new:
            raise CommandError("The old domain and the new one are the same.")
        if settings.PASSKEY_DOMAIN not in ("", old):
            raise CommandError(
                f"PASSKEY_DOMAIN is {settings.PASSKEY_DOMAIN}, and passkeys stay with it. Name it as the old domain."
            )
        with command_errors():
            found = find_bound(old)
            for line in self._lines(found, old, new):
                self.stdout.write(line)
            if dry_run:
                self.stdout.write(
                    f"\nNobody was written to. Without --dry-run, {len(_reached(found))} letters go out."
                )
                return
            count = tell_of_domain(_reached(found), old=old, new=new)
        self.stdout.write(
            f"\n{count} letters are on their way. Change the settings once they were sent."
        )

    def _lines(self, found: Bound, old: str, new: str) -> Iterator[str]:
        yield f"Of the site in {site_place()}:"
        yield f"  {len(found.with_passkeys):,} people have passkeys, which were made for {old}."
        yield f"  {len(found.passkeys_only):,} of them have no app for codes. They get in with their password, and"
        yield f"  at {new} with the passkey in browsers that know related origins (Chrome, Edge, Safari)."
        if found.unreachable:
            yield f"  No letter reaches {len(found.unreachable):,} of them, as they confirmed no address:"
            yield f"  {_named(found.unreachable)}"
        if found.staff and settings.STAFF_PASSKEY:
            yield f"  {len(found.staff):,} of the staff could not open staff pages in other browsers:"
            yield f"  {_named(found.staff)}"
            yield "  They should add an app for codes before, and STAFF_PASSKEY be 0 for these days."
        yield f"  {found.sign_ins:,} sign-ins end for their browsers: cookies stay with {old}. People sign in again."
        yield f"  {found.devices:,} devices get no pushes any more, until their people allow them at {new}."
        yield f"  {found.posts:,} posts and {found.bios:,} profiles name {old}. They stay, and nginx leads on."
        yield "  Letters that were sent link to the old domain for years, and so does their List-Unsubscribe."
        yield "  List-Id, sitemap, robots.txt, feeds and the key of pushes follow SITE_URL, so mail filters end."
        yield "  Exports and the audit log name no domain. A cache before the site must forget its pages."
        yield ""
        yield ENV.format(old=old, new=new)
        yield ""
        yield NGINX.format(old=old, new=new)
        yield ""
        yield f"With PASSKEY_DOMAIN={new} instead, all passkeys end and new ones are made for {new}."


def _reached(found: Bound) -> list[str]:
    unreachable = set(found.unreachable)
    return [user_id for user_id in found.with_passkeys if user_id not in unreachable]


def _named(user_ids: list[str]) -> str:
    people = [f"@{get_handle(user_id)}" for user_id in user_ids[:NAMED]]
    more = len(user_ids) - len(people)
    return ", ".join(sorted(people)) + (f" and {more:,} more" if more > 0 else "")
