"""The records of a sender's domain, looked up in DNS and said plainly, with the record to add where one is missing.

Mailbox providers want all three of whoever sends more than a few letters. What only a provider can judge is not judged
here: whether the key is the one that signs shows the header of a letter that arrived.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import dns.exception
import dns.resolver
from dns.rdatatype import RdataType

SECONDS = 3.0  # for a question, with what a name server asks others
# Where nobody says which: those of widespread servers.
SELECTORS = ("default", "mail", "dkim", "s1", "s2", "k1", "selector1", "selector2", "google")
MOST_PARENTS = 5


class NoAnswer(Exception):
    """DNS did not answer in time, or refused."""


@dataclass(frozen=True)
class Found:
    """What was found: whether it is good, a sentence, and the record to add if one is missing."""

    is_good: bool
    says: str
    add: str = ""


class Records:
    """Asks the name servers of this machine, or the one at an address such as 127.0.0.1:5353."""

    def __init__(self, server: str = "") -> None:
        self._resolver = dns.resolver.Resolver(configure=not server)
        if server:
            host, _, port = server.partition(":")
            self._resolver.nameservers, self._resolver.port = [host], int(port or 53)

    def texts(self, name: str) -> list[str]:
        """Returns the TXT records there, each in one piece. Raises `NoAnswer`."""
        return [
            b"".join(one.strings).decode("utf-8", "replace")
            for one in self._ask(name, RdataType.TXT)
        ]

    def exchangers(self, name: str) -> list[str]:
        """Returns who takes mail for the domain. Raises `NoAnswer`."""
        return [str(one.exchange).rstrip(".") for one in self._ask(name, RdataType.MX)]

    def _ask(self, name: str, kind: RdataType) -> list[Any]:
        try:
            return list(self._resolver.resolve(name, kind, lifetime=SECONDS))
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except (dns.exception.DNSException, OSError, ValueError) as error:
            raise NoAnswer(f"DNS says nothing about {name} ({type(error).__name__}).") from error


def look_at(
    domain: str, records: Records, *, sends_by: str, selectors: Sequence[str] = ()
) -> Iterator[Found]:
    """Yields what is found of the domain, in the order in which to mend it. `sends_by` is what SPF must name, such as
    `include:amazonses.com`."""
    for look in (
        lambda: _spf(domain, records, sends_by),
        lambda: _dkim(domain, records, selectors),
        lambda: _dmarc(domain, records),
        lambda: _answers(domain, records),
    ):
        try:
            yield look()
        except NoAnswer as error:
            yield Found(False, f"{error} Ask again later, or name another server with --dns.")


def _spf(domain: str, records: Records, sends_by: str) -> Found:
    found = [text for text in records.texts(domain) if text.lower().split(" ")[0] == "v=spf1"]
    wanted = f'{domain}. TXT "v=spf1 {sends_by} -all"'
    if not found:
        return Found(
            False, f"SPF is missing: {domain} does not say which servers may send for it.", wanted
        )
    if len(found) > 1:
        return Found(
            False, f"SPF counts for nothing: {domain} has {len(found)} records. Join them into one."
        )
    (text,) = found
    words = text.lower().split()
    if words[-1] in ("+all", "all"):
        return Found(
            False, f"SPF lets every server send for {domain}: its record ends in +all.", wanted
        )
    if sends_by.lower() not in words:
        return Found(
            True,
            f"SPF is there ({text}). Check that it covers your mail server: it does not name {sends_by} itself.",
        )
    return Found(True, f"SPF is right: {text}")


def _dkim(domain: str, records: Records, selectors: Sequence[str]) -> Found:
    for selector in selectors or SELECTORS:
        name = f"{selector}._domainkey.{domain}"
        for text in records.texts(name):
            tags = _tags(text)
            if "p" not in tags:
                continue
            if not tags["p"]:
                return Found(
                    False,
                    f"DKIM: the key {selector} was taken back (its p= is empty). Sign with another.",
                )
            return Found(True, f"DKIM has a key at {name}.")
    if selectors:
        return Found(
            False,
            f"DKIM is missing: there is no key at {' or '.join(f'{one}._domainkey.{domain}' for one in selectors)}.",
            f'{selectors[0]}._domainkey.{domain}. TXT "v=DKIM1; k=rsa; p=<the public key of your mail server>"',
        )
    return Found(
        False,
        "DKIM was found under no usual name. In a letter that arrived, `s=` of DKIM-Signature names the selector: run "
        "this again with --selector. Without that header nobody signs your letters.",
        f'<selector>._domainkey.{domain}. TXT "v=DKIM1; k=rsa; p=<the public key of your mail server>"',
    )


def _dmarc(domain: str, records: Records) -> Found:
    wanted = f'_dmarc.{domain}. TXT "v=DMARC1; p=quarantine; rua=mailto:dmarc@{domain}"'
    labels = domain.split(".")
    for start in range(min(len(labels) - 1, MOST_PARENTS)):  # a domain above may speak for it
        name = f"_dmarc.{'.'.join(labels[start:])}"
        found = [text for text in records.texts(name) if text.startswith("v=DMARC1")]
        if len(found) > 1:
            return Found(
                False, f"DMARC counts for nothing: {name} has {len(found)} records. Keep one."
            )
        if found:
            policy = _tags(found[0]).get("p", "")
            if policy == "none":
                return Found(
                    True,
                    f"DMARC is there and only watches ({found[0]}). Later, p=quarantine protects more.",
                )
            if policy in ("quarantine", "reject"):
                return Found(True, f"DMARC is right: {found[0]}")
            return Found(False, f"DMARC at {name} has no policy that is known: {found[0]}", wanted)
    return Found(
        False,
        f"DMARC is missing: {domain} does not say what to do with letters in its name.",
        wanted,
    )


def _answers(domain: str, records: Records) -> Found:
    if found := records.exchangers(domain):
        return Found(True, f"{found[0]} takes mail for {domain}, so letters can come back.")
    return Found(
        False,
        f"Nobody takes mail for {domain}: some providers refuse a sender that no letter can come back to.",
        f"{domain}. MX 10 <your mail server>",
    )


def _tags(text: str) -> dict[str, str]:
    """Returns the tags of a record, as `v=DKIM1; p=…` writes them."""
    pairs = (one.partition("=") for one in text.split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}
