"""`manage.py change_domain`: says what is bound to the old domain, and writes to people with passkeys. That these go
on working stands in tests/accounts/test_related_origins.py."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.models import Credentials
from feed.publishing.writes import publish_post
from socialsite.table import change, ids, keys
from tests.accounts.scenes import send_whole_letters

OLD, NEW = "old.example", "new.example"


@pytest.fixture(autouse=True)
def at_the_old_domain(settings) -> None:
    settings.PASSKEY_DOMAIN, settings.SITE_URL = OLD, f"https://{OLD}"


def with_passkey(person, *, app: bool = False, address: bool = True) -> None:
    place = keys.credentials(person.user_id)
    done = [Credentials.passkeys.set(1)]
    if app:
        done.append(Credentials.totp.set(b"sealed"))
    if not address:
        done.append(Credentials.email.remove())
    change(Credentials, place, done)


def say(capsys, *options: str) -> str:
    call_command("change_domain", OLD, NEW, *options)
    return capsys.readouterr().out


def test_a_dry_run_counts_who_and_what_is_bound_and_writes_to_nobody(alice, bob, carol, capsys):
    with_passkey(alice)
    with_passkey(bob, app=True)
    publish_post(
        by=carol, content=f"Look at https://{OLD}/@alice and not at my{OLD}", nonce=ids.new_id()
    )
    publish_post(by=carol, content=f"my{OLD} and {OLD}.uk are others", nonce=ids.new_id())
    send_whole_letters()
    said = say(capsys, "--dry-run")
    assert f"2 people have passkeys, which were made for {OLD}" in said
    assert "1 of them have no app for codes" in said
    assert f"1 posts and 0 profiles name {OLD}" in said
    assert "2 letters go out" in said
    assert send_whole_letters() == []


def test_it_names_whom_no_letter_reaches_and_whom_it_would_lock_out_of_staff_pages(
    alice, mod, capsys, settings
):
    settings.STAFF_PASSKEY = True
    with_passkey(alice, address=False)
    with_passkey(mod)
    said = say(capsys, "--dry-run")
    assert "No letter reaches 1 of them, as they confirmed no address:\n  @alice" in said
    assert "1 of the staff could not open staff pages in other browsers:\n  @mod" in said
    assert "1 letters go out" in said


def test_people_with_passkeys_get_a_letter_with_a_way_in(alice, bob, capsys):
    send_whole_letters()
    with_passkey(alice)
    say(capsys)
    [letter] = send_whole_letters()
    assert letter.subject == f"We move to {NEW}"
    assert f"made for {OLD}" in letter.body
    assert "sign in with your password" in letter.body
    assert "/password/forgot" in letter.body


def test_it_says_which_settings_and_which_addresses_of_nginx_change(table, capsys):
    said = say(capsys, "--dry-run")
    assert f"PASSKEY_DOMAIN={OLD}\n    PASSKEY_RELATED=https://{NEW}" in said
    assert "/etc/socialsite/nginx.d/old.conf, which upgrades leave alone" in said
    assert f"return 308 https://{NEW}$request_uri" in said
    assert "location = /.well-known/webauthn { proxy_pass http://inner; }" in said
    assert "X-Forwarded-For $remote_addr;" in said  # what a client made up is never believed


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (OLD, OLD, "are the same"),
        (OLD, "https://new.example", "is no domain"),
        (OLD, "new.example\nPASSKEY_DOMAIN=x.example", "is no domain"),
        ("other.example", NEW, f"PASSKEY_DOMAIN is {OLD}"),
    ],
)
def test_what_cannot_be_meant_is_refused(table, old, new, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("change_domain", old, new, "--dry-run")
