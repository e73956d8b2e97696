"""Blocking and unblocking email domains and networks for sign-ups."""

from collections.abc import Collection
from ipaddress import IPv4Network, IPv6Network

from accounts.viewer import Viewer
from moderation.rules.services.site import TooMany, change_site, put
from socialsite.models import AddressBlock, EmailDomainBlock
from socialsite.site.site_rules import read_site_rules
from socialsite.table import keys
from socialsite.table.actions import Delete
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern

MOST_DOMAINS = 500
MOST_NETWORKS = 200


@access_pattern
def block_email_domains(*, by: Viewer, domains: Collection[str]) -> int:
    """Blocks domains and all their subdomains. Returns how many were not blocked yet. Raises `TooMany`.

    One consistent Query, then TransactWriteItems of one EmailDomainBlock each (at most 50 at once) and the audit entry.
    """
    before = set(read_site_rules().domains)
    new = sorted(set(domains) - before)
    if len(before) + len(new) > MOST_DOMAINS:
        raise TooMany(MOST_DOMAINS)
    if new:
        actions = [
            put(
                EmailDomainBlock,
                keys.email_domain_block(domain),
                [EmailDomainBlock.domain.set(domain)],
            )
            for domain in new
        ]
        change_site(by, "block e-mail domains", *actions, domains=new)
    return len(new)


@access_pattern
def unblock_email_domain(*, by: Viewer, domain: str) -> None:
    """Lets the domain in again. Raises `NotFound`. One consistent Query, TransactWriteItems with the audit entry."""
    if domain not in read_site_rules().domains:
        raise NotFound("not blocked")
    block = Delete(keys.email_domain_block(domain))
    change_site(by, "unblock e-mail domain", block, domain=domain)


@access_pattern
def block_networks(
    *, by: Viewer, networks: Collection[IPv4Network | IPv6Network], effect: str, comment: str = ""
) -> None:
    """Blocks networks, or makes people from them wait for approval. Updates networks already in the list. Raises
    `TooMany`.

    One consistent Query, then TransactWriteItems of one AddressBlock each (at most 50 at once) and the audit entry.
    """
    named = sorted({str(network) for network in networks})
    before = {str(blocked.network) for blocked in read_site_rules().networks}
    if len(before | set(named)) > MOST_NETWORKS:
        raise TooMany(MOST_NETWORKS)
    actions = [
        put(
            AddressBlock,
            keys.address_block(network),
            [
                AddressBlock.network.set(network),
                AddressBlock.effect.set(effect),
                AddressBlock.comment.set(comment) if comment else AddressBlock.comment.remove(),
            ],
        )
        for network in named
    ]
    change_site(by, "block networks", *actions, networks=named, effect=effect)


@access_pattern
def unblock_network(*, by: Viewer, network: str) -> None:
    """Lets people from the network in again. Raises `NotFound`. One consistent Query, TransactWriteItems with the
    audit entry."""
    if network not in {str(blocked.network) for blocked in read_site_rules().networks}:
        raise NotFound("not blocked")
    block = Delete(keys.address_block(network))
    change_site(by, "unblock network", block, network=network)
