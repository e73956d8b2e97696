"""`manage.py sendtestemail` sends a letter, and says plainly what DNS lacks. The name server is the test's own."""

import socket
import threading
from collections.abc import Iterator

import dns.flags
import dns.message
import dns.rrset
import pytest
from django.core import mail
from django.core.management import call_command
from django.core.management.base import CommandError

GOOD = {
    ("example.org.", "TXT"): ['"v=spf1 a:smtp.example.org -all"', '"another=record"'],
    ("mail2026._domainkey.example.org.", "TXT"): ['"v=DKIM1; k=rsa; p=" "MIIBIjANBg"'],
    ("_dmarc.example.org.", "TXT"): ['"v=DMARC1; p=quarantine"'],
    ("example.org.", "MX"): ["10 mx.example.org."],
}


class NameServer:
    """Answers over UDP from a table, and nothing at all while it is `silent`."""

    def __init__(self) -> None:
        self.table = dict(GOOD)
        self.silent = False
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                data, who = self.socket.recvfrom(4096)
            except OSError:
                return
            if self.silent:
                continue
            asked = dns.message.from_wire(data)
            answer = dns.message.make_response(asked)
            answer.flags |= dns.flags.RA
            (question,) = asked.question
            kind = dns.rdatatype.to_text(question.rdtype)
            if found := self.table.get((str(question.name), kind)):
                answer.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *found))
            self.socket.sendto(answer.to_wire(), who)


@pytest.fixture
def names() -> Iterator[NameServer]:
    server = NameServer()
    yield server
    server.socket.close()


@pytest.fixture(autouse=True)
def sender(settings) -> None:
    settings.DEFAULT_FROM_EMAIL = "socialsite <no-reply@example.org>"
    settings.EMAIL_HOST, settings.MAIL = "smtp.example.org", "smtp"


def ask(names: NameServer, *addresses: str, selector: str = "mail2026") -> None:
    call_command(
        "sendtestemail", *addresses, dns=names.address, selector=[selector] if selector else []
    )


def test_a_letter_goes_out_and_all_four_records_are_right(names, capsys):
    ask(names, "you@example.com")
    (letter,) = mail.outbox
    assert letter.to == ["you@example.com"]
    assert letter.from_email == "socialsite <no-reply@example.org>"
    said = capsys.readouterr().out
    assert said.count("[ok]") == 4
    assert "smtp.example.org took a letter to you@example.com" in said


@pytest.mark.parametrize(
    ("without", "sentence", "add"),
    [
        (("example.org.", "TXT"), "SPF is missing", 'TXT "v=spf1 a:smtp.example.org -all"'),
        (
            ("mail2026._domainkey.example.org.", "TXT"),
            "DKIM is missing",
            "mail2026._domainkey.example.org. TXT",
        ),
        (
            ("_dmarc.example.org.", "TXT"),
            "DMARC is missing",
            '_dmarc.example.org. TXT "v=DMARC1; p=quarantine',
        ),
        (("example.org.", "MX"), "Nobody takes mail for example.org", "example.org. MX 10"),
    ],
    ids=["spf", "dkim", "dmarc", "mx"],
)
def test_what_is_missing_is_said_with_the_record_to_add(names, capsys, without, sentence, add):
    del names.table[without]
    with pytest.raises(CommandError, match="1 of 4 are not right"):
        ask(names)
    said = capsys.readouterr().out
    assert f"[!!] {sentence}" in said
    assert add in said
    assert said.count("[ok]") == 3


@pytest.mark.parametrize(
    ("record", "value", "sentence"),
    [
        (("example.org.", "TXT"), ['"v=spf1 -all"', '"v=spf1 mx -all"'], "SPF counts for nothing"),
        (("example.org.", "TXT"), ['"v=spf1 +all"'], "SPF lets every server send"),
        (("mail2026._domainkey.example.org.", "TXT"), ['"v=DKIM1; p="'], "was taken back"),
        (("_dmarc.example.org.", "TXT"), ['"v=DMARC1; p=maybe"'], "no policy that is known"),
    ],
)
def test_what_is_wrong_is_said(names, capsys, record, value, sentence):
    names.table[record] = value
    with pytest.raises(CommandError):
        ask(names)
    assert sentence in capsys.readouterr().out


def test_a_domain_above_may_say_it_for_all_below(names, settings, capsys):
    settings.DEFAULT_FROM_EMAIL = "no-reply@news.example.org"
    with pytest.raises(CommandError):
        ask(names)
    assert "[ok] DMARC is right" in capsys.readouterr().out


def test_without_a_selector_the_usual_ones_are_tried(names, capsys):
    names.table["default._domainkey.example.org.", "TXT"] = ['"p=MIIB"']
    ask(names, selector="")
    assert "DKIM has a key at default._domainkey.example.org" in capsys.readouterr().out


def test_a_name_server_that_says_nothing_is_a_sentence_and_no_wait(names, monkeypatch, capsys):
    monkeypatch.setattr("operations.sender.SECONDS", 0.2)
    names.silent = True
    with pytest.raises(CommandError, match="4 of 4"):
        ask(names)
    assert capsys.readouterr().out.count("DNS says nothing about") == 4


def test_a_mail_server_that_refuses_is_one_sentence(names, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    with pytest.raises(CommandError, match=r"127\.0\.0\.1 did not take the letter"):
        ask(names, "you@example.com")


@pytest.mark.parametrize("address", ["you", "you@example.com\nBcc: all@example.com"])
def test_what_is_no_address_is_refused(names, address):
    with pytest.raises(CommandError, match="is no email address"):
        ask(names, address)
    assert not mail.outbox


def test_a_site_that_sends_nothing_says_so(names, settings, capsys):
    settings.MAIL = "folder"
    settings.DEFAULT_FROM_EMAIL = "socialsite <no-reply@localhost>"
    with pytest.raises(CommandError, match="Set it to an address of your domain"):
        ask(names, "you@example.com")
    assert "none was sent" in capsys.readouterr().out
