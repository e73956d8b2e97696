"""Networks from which nobody signs up, or from which one waits."""

from ipaddress import ip_network

import pytest
from django.test import Client

from moderation.rules import filter_writes
from moderation.rules.filter_writes import make_invite
from moderation.staff.writes import TooMany
from socialsite.site_settings.models import AddressBlock
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.site_setup import AddressEffect
from socialsite.table import write_batch
from tests.moderation.joining import is_here, join, waits
from tests.moderation.site import logged
from tests.web.html import Html

ADD = "/moderation/blocks/networks"
REMOVE = "/moderation/blocks/networks/remove"


def block(admin, network: str, effect: str = AddressEffect.BLOCK) -> None:
    filter_writes.block_networks(by=admin, networks=[ip_network(network)], effect=effect)


def from_address(address: str) -> Client:
    return Client(REMOTE_ADDR=address)


def listed() -> dict[str, tuple[str, str]]:
    found = read_site_rules().networks
    return {str(one.network): (str(one.effect), one.comment) for one in found}


@pytest.mark.parametrize(
    ("network", "address"),
    [
        ("203.0.113.0/24", "203.0.113.77"),
        ("203.0.113.7/32", "203.0.113.7"),
        ("203.0.113.0/24", "::ffff:203.0.113.77"),
        ("2001:db8:1::/48", "2001:db8:1:2::3"),
        ("2001:db8:1:2::/64", "2001:db8:1:2:aaaa:bbbb:cccc:dddd"),
    ],
)
def test_nobody_signs_up_from_a_blocked_network(admin, network, address):
    block(admin, network)
    browser = from_address(address)
    assert "network" in browser.get("/signup").content.decode()
    refused = join(browser)
    assert refused.status_code == 403
    assert "network" in refused.content.decode()
    assert not is_here()


@pytest.mark.parametrize("address", ["203.0.114.1", "2001:db8:2::1", "", "not an address"])
def test_others_do(admin, address):
    block(admin, "203.0.113.0/24")
    block(admin, "2001:db8:1::/48")
    assert join(from_address(address)).status_code == 302


def test_from_a_watched_network_one_waits_unless_invited(admin, mod):
    block(admin, "203.0.113.0/24", AddressEffect.APPROVAL)
    browser = from_address("203.0.113.7")
    assert Html(browser.get("/signup")).one(name="asked")
    assert join(browser)["Location"] == "/standing"
    assert waits()
    code = make_invite(by=mod, uses=1, days=1)
    join(from_address("203.0.113.7"), handle="emil", invite=code)
    assert not waits("emil")


def test_the_stricter_of_two_networks_holds(admin):
    block(admin, "203.0.113.0/24", AddressEffect.APPROVAL)
    block(admin, "203.0.113.0/28")
    assert join(from_address("203.0.113.7")).status_code == 403


def test_several_are_listed_at_once_as_networks(admin, log_in):
    form = {
        "networks": "203.0.113.9/24\n198.51.100.7\n\n2001:db8::1",
        "effect": "approval",
        "comment": "a wave",
    }
    assert log_in(admin).post(ADD, form).status_code == 302
    assert listed() == dict.fromkeys(
        ("203.0.113.0/24", "198.51.100.7/32", "2001:db8::/64"), ("approval", "a wave")
    )
    assert logged()[0][1] == "block networks"


def test_the_same_again_changes_what_happens(admin, log_in):
    for effect in ("approval", "block"):
        log_in(admin).post(ADD, {"networks": "203.0.113.0/24", "effect": effect})
    assert listed() == {"203.0.113.0/24": ("block", "")}


@pytest.mark.parametrize(
    "wrong",
    [
        {"networks": ""},
        {"networks": "203.0.113.0/24\nnothing"},
        {"networks": "0.0.0.0/0"},
        {"networks": "::/0"},
        {"networks": "203.0.113.0/33"},
        {"networks": "\n".join(f"203.0.113.{number}" for number in range(51))},
        {"effect": "other"},
        {"comment": "x" * 201},
    ],
)
def test_what_cannot_be_is_said_beside_its_field(admin, log_in, wrong):
    form = {"networks": "203.0.113.0/24", "effect": "block"} | wrong
    response = log_in(admin).post(ADD, form)
    assert response.status_code == 422
    assert Html(response).error(*wrong)
    assert listed() == {}


def test_a_network_is_taken_off_the_list(admin, log_in):
    block(admin, "203.0.113.0/24")
    browser = log_in(admin)
    button = Html(browser.get("/moderation/blocks")).one("button", name="network")
    assert browser.get(REMOVE).status_code == 405
    for _ in range(2):
        assert browser.post(REMOVE, {"network": button["value"]}).status_code == 302
    assert join(from_address("203.0.113.7")).status_code == 302


def test_there_are_so_many_at_most(admin):
    most = filter_writes.MOST_NETWORKS
    write_batch(
        puts=[
            AddressBlock.new(network=f"10.0.{number}.0/24", effect="block", comment="")
            for number in range(most)
        ]
    )
    with pytest.raises(TooMany):
        block(admin, "203.0.113.0/24")
    block(admin, "10.0.1.0/24", AddressEffect.APPROVAL)
