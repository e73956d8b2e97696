"""Email domains that nobody signs up with."""

import pytest

from moderation.rules import filter_writes
from moderation.staff.writes import TooMany
from socialsite.site_settings.models import EmailDomainBlock
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.table import write_batch
from tests.moderation.joining import is_here, join
from tests.moderation.site import logged
from tests.web.html import Html

ADD = "/moderation/blocks/domains"
REMOVE = "/moderation/blocks/domains/remove"


@pytest.mark.parametrize(
    "address", ["dora@trash.example", "dora@a.b.trash.example", "dora@TRASH.example"]
)
def test_nobody_signs_up_with_a_blocked_domain(admin, address):
    filter_writes.block_email_domains(by=admin, domains=["trash.example"])
    refused = join(email=address)
    assert refused.status_code == 422
    assert "provider" in Html(refused).error("email")
    assert Html(refused).value("email") == address
    assert not is_here()


@pytest.mark.parametrize(
    "address", ["dora@nottrash.example", "dora@example", "trash.example@x.org"]
)
def test_other_domains_stay_open(admin, address):
    filter_writes.block_email_domains(by=admin, domains=["trash.example"])
    assert "provider" not in Html(join(email=address)).error("email")


def test_several_are_blocked_at_once_in_one_spelling(admin, log_in):
    lines = " Trash.Example \r\n\r\nx@mail.example\ntrash.example\nbücher.example."
    response = log_in(admin).post(ADD, {"domains": lines})
    assert response["Location"] == "/moderation/blocks"
    blocked = ["mail.example", "trash.example", "xn--bcher-kva.example"]
    assert sorted(read_site_rules().domains) == blocked
    assert logged() == [(admin.user_id, "block e-mail domains", {"domains": blocked})]


def test_blocking_again_changes_nothing(admin, log_in):
    for _ in range(2):
        assert log_in(admin).post(ADD, {"domains": "trash.example"}).status_code == 302
    assert read_site_rules().domains == ("trash.example",)
    assert len(logged()) == 1


@pytest.mark.parametrize(
    "lines", ["", "trash", "good.example\na b.example", "http://x.example", "x" * 300 + ".example",
              "\n".join(f"d{number}.example" for number in range(51)), "*.example", "-"],
)  # fmt: skip
def test_what_is_no_list_of_domains_is_said_and_stays(admin, log_in, lines):
    response = log_in(admin).post(ADD, {"domains": lines})
    page = Html(response)
    assert response.status_code == 422
    assert page.error("domains")
    assert page.value("domains") == lines
    assert read_site_rules().domains == ()


def test_a_domain_is_let_in_again(admin, log_in):
    browser = log_in(admin)
    filter_writes.block_email_domains(by=admin, domains=["trash.example"])
    page = Html(browser.get("/moderation/blocks"))
    button = page.one("button", name="domain")
    assert browser.get(REMOVE).status_code == 405
    for _ in range(2):
        assert browser.post(REMOVE, {"domain": button["value"]}).status_code == 302
    assert join(email="dora@trash.example").status_code == 302
    assert [action for _, action, _ in logged()][-1:] == ["unblock e-mail domain"]


def test_there_are_so_many_at_most(admin, log_in):
    most = filter_writes.MOST_DOMAINS
    write_batch(puts=[EmailDomainBlock.new(domain=f"d{number}.example") for number in range(most)])
    with pytest.raises(TooMany):
        filter_writes.block_email_domains(by=admin, domains=["one.more.example"])
    filter_writes.block_email_domains(by=admin, domains=["d1.example"])
    refused = log_in(admin).post(ADD, {"domains": "one.more.example"})
    assert "500" in Html(refused).error("domains")
