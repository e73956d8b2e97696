"""The domain of a confirmed address finds its person, and changes with the address."""

from django.core.management import call_command

from accounts.credentials.reencrypt import reencrypt
from accounts.encryption.emails import domain_hmacs
from accounts.models import DomainEntry
from accounts.sign_up.writes import sign_up
from socialsite.table import Erase, keys, query, row, transact
from socialsite.table.reading import scan
from tests.accounts.addresses import newcomers
from tests.accounts.addresses.test_change_email import ask, moved
from tests.accounts.letters import send_letters
from tests.conftest import PASSWORD
from tests.looks import broken_invariants


def listed(domain: str) -> set[str]:
    """Whom a domain finds, under any key of the settings."""
    return {
        row(DomainEntry, raw).user_id
        for hmac in domain_hmacs(domain)
        for raw in query(keys.domain_entries(hmac), consistent=True)
    }


def test_an_address_counts_once_it_is_confirmed(drain_stream):
    newcomers.sign_up()
    assert listed("example.org") == set()
    newcomers.press(newcomers.links()[0])
    assert listed("example.org") == {newcomers.viewer().user_id}
    drain_stream()
    assert broken_invariants() == {}


def test_a_domain_is_found_however_it_is_written(table):
    for handle, email in (("uwe", "uwe@BÜCHER.example"), ("ute", "ute@xn--bcher-kva.example")):
        sign_up(handle=handle, name="", email=email, password=PASSWORD, confirmed=True)
    assert len(listed("bücher.example")) == len(listed("@Bücher.Example")) == 2
    assert listed("www.bücher.example") == listed("example") == set()


def test_the_table_does_not_name_the_domain(alice):
    entries = [raw for raw in scan() if raw["type"]["S"] == "DomainEntry"]
    assert len(entries) == 1
    assert "example" not in str(entries)


def test_with_another_address_the_person_moves_to_its_domain_and_back(alice, log_in, drain_stream):
    browser = log_in(alice)
    send_letters()
    ask(browser, "alice@elsewhere.example")
    assert (listed("example.org"), listed("elsewhere.example")) == ({alice.user_id}, set())
    [letter] = send_letters()
    newcomers.press(letter.path)
    assert (listed("example.org"), listed("elsewhere.example")) == (set(), {alice.user_id})
    undo = next(one.path for one in send_letters() if one.to == "alice@example.org")
    newcomers.press(undo)
    assert (listed("example.org"), listed("elsewhere.example")) == ({alice.user_id}, set())
    drain_stream()
    assert broken_invariants() == {}


def test_another_address_of_the_same_domain_changes_nothing(alice, log_in, drain_stream):
    undo = moved(log_in(alice))
    assert listed("example.org") == {alice.user_id}
    newcomers.press(undo)
    assert listed("example.org") == {alice.user_id}
    drain_stream()
    assert broken_invariants() == {}


def test_another_data_key_finds_them_before_and_after_they_are_moved(alice, settings):
    settings.DATA_KEY_FALLBACKS = [settings.DATA_KEY]
    settings.DATA_KEY = "the key after, long enough to encrypt with as well"
    assert listed("example.org") == {alice.user_id}
    assert reencrypt(alice.user_id)
    assert not reencrypt(alice.user_id)
    settings.DATA_KEY_FALLBACKS = []
    assert listed("example.org") == {alice.user_id}
    assert [raw["type"]["S"] for raw in scan()].count("DomainEntry") == 1


def test_accounts_from_before_are_added_by_the_command(alice, bob, drain_stream):
    (hmac,) = domain_hmacs("example.org")
    transact(Erase(keys.domain_entry(hmac, alice.user_id)))
    drain_stream()
    assert list(broken_invariants()) == ["every confirmed address is listed under its domain, once"]
    call_command("reencrypt")
    assert listed("example.org") == {alice.user_id, bob.user_id}
    assert broken_invariants() == {}
