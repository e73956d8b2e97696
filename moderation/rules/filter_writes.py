"""Changes what gets in: word filters, blocked email domains and networks, and invitations, which end early or when they
are used up. Each change is one transaction with its audit log entry."""

import secrets
from collections.abc import Collection
from datetime import timedelta
from ipaddress import IPv4Network, IPv6Network

from accounts.people.viewer import Viewer
from accounts.sign_up.writes import CODE
from moderation.log.writes import record
from moderation.rules.reads import list_invites
from moderation.rules.writes import change_site, id_from, put
from moderation.staff.writes import ThereAlready, TooMany
from socialsite.clock import utc_now, utc_now_iso
from socialsite.site_settings.models import AddressBlock, EmailDomainBlock, Invite, WordRule
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.table import Change, Create, Delete, NotFound, access_pattern, keys

MOST_WORDS = 500


@access_pattern
def add_word_rule(*, by: Viewer, word: Word) -> None:
    """Adds a word filter. Raises `ThereAlready` for the same words or link again, and `TooMany`.

    One consistent Query, then TransactWriteItems of WordRule and the audit entry. In all 6 write units and 2 read
    units.
    """
    before = read_site_rules()
    _must_be_new(word, before)
    if len(before.words) >= MOST_WORDS:
        raise TooMany(MOST_WORDS)
    rule = WordRule.new(
        rule_id=_free_id(word, before),
        kind=word.kind,
        pattern=word.pattern,
        effect=word.effect,
        site_rule=word.site_rule,
        created=utc_now_iso(),
        options=word.options,
        days=_days(word),
    )
    create = Create(rule, ThereAlready)
    change_site(by, "add word rule", create, rule=rule.rule_id, **_detail(word))


@access_pattern
def save_word_rule(*, by: Viewer, rule_id: str, word: Word) -> None:
    """Changes a word filter in place: it keeps its id, its hits and its day. Raises `NotFound`, and `ThereAlready` if
    another filter has these words or this link. Does nothing if nothing changes.

    One consistent Query, then TransactWriteItems of WordRule and the audit entry, which names the words before. In all
    6 write units and 2 read units.
    """
    before = read_site_rules()
    old = before.word_of(rule_id)
    if old is None:
        raise NotFound(rule_id)
    _must_be_new(word, before, besides=rule_id)
    detail, was = _detail(word), _detail(old)
    if detail == was and word.site_rule == old.site_rule:
        return
    actions = [
        WordRule.kind.set(word.kind),
        WordRule.pattern.set(word.pattern),
        WordRule.effect.set(word.effect),
        WordRule.site_rule.set(word.site_rule) if word.site_rule else WordRule.site_rule.remove(),
        WordRule.options.set(set(word.options)) if word.options else WordRule.options.remove(),
        WordRule.days.set(days) if (days := _days(word)) else WordRule.days.remove(),
    ]
    if old.pattern != word.pattern:
        detail["was"] = old.pattern
    change = Change(WordRule, keys.word_rule(rule_id), actions)
    change_site(by, "edit word rule", change, rule=rule_id, **detail)


@access_pattern
def remove_word_rule(*, by: Viewer, rule_id: str) -> None:
    """Removes a word filter. Raises `NotFound`. One consistent Query, then TransactWriteItems with the audit entry. In
    all 6 write units and 2 read units."""
    word = read_site_rules().word_of(rule_id)
    if word is None:
        raise NotFound(rule_id)
    delete = Delete(keys.word_rule(rule_id))
    change_site(by, "remove word rule", delete, rule=rule_id, **_detail(word))


def _must_be_new(word: Word, site: SiteRules, *, besides: str = "") -> None:
    same = (one for one in site.words if (one.kind, one.folded) == (word.kind, word.folded))
    if any(one.rule_id != besides for one in same):
        raise ThereAlready(word.pattern)


def _free_id(word: Word, site: SiteRules) -> str:
    """Returns an id that depends on the words alone, so that a form sent twice makes one filter. A filter that was
    edited may have the id of the words that it had."""
    taken = {one.rule_id for one in site.words}
    rule_id = id_from(word.kind, word.folded)
    while rule_id in taken:
        rule_id = id_from(rule_id)
    return rule_id


def _detail(word: Word) -> dict[str, str]:
    detail = {"kind": word.kind, "pattern": word.pattern, "effect": word.effect}
    if word.options:
        detail["options"] = ", ".join(sorted(word.options))
    if days := _days(word):
        detail["days"] = str(days)
    return detail


def _days(word: Word) -> int | None:
    return word.days if word.effect == Effect.LIMIT else None


MOST_DOMAINS = 500
MOST_NETWORKS = 200


@access_pattern
def block_email_domains(*, by: Viewer, domains: Collection[str]) -> int:
    """Blocks domains and all their subdomains. Returns how many were not blocked yet. Raises `TooMany`.

    One consistent Query, then TransactWriteItems of one EmailDomainBlock each (at most 50 at once) and the audit entry.
    In all 4 write units, 2 for each, and 2 read units.
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
    """Lets the domain in again. Raises `NotFound`. One consistent Query, TransactWriteItems with the audit entry. In
    all 6 write units and 2 read units."""
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

    One consistent Query, then TransactWriteItems of one AddressBlock each (at most 50 at once) and the audit entry. In
    all 4 write units, 2 for each, and 2 read units.
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
    """Lets people from the network in again. Raises `NotFound`. One consistent Query, TransactWriteItems with the audit
    entry. In all 6 write units and 2 read units."""
    if network not in {str(blocked.network) for blocked in read_site_rules().networks}:
        raise NotFound("not blocked")
    block = Delete(keys.address_block(network))
    change_site(by, "unblock network", block, network=network)


MOST_INVITES = 200
CODE_BYTES = 12  # so that nobody guesses a code


@access_pattern
def make_invite(*, by: Viewer, uses: int, days: int, comment: str = "") -> str:
    """Creates an invitation for a number of people and days, and returns its code. Raises `TooMany`.

    One Query of the invitations, then TransactWriteItems of Invite and the audit entry. In all 6 write units and 2 read
    units.
    """
    if len(list_invites()) >= MOST_INVITES:
        raise TooMany(MOST_INVITES)
    invite = Invite.new(
        code=secrets.token_urlsafe(CODE_BYTES),
        creator_id=by.user_id,
        uses_left=uses,
        comment=comment,
        ttl=utc_now() + timedelta(days=days),
    )
    detail = {"uses": uses, "days": days, "comment": comment}
    record(Create(invite), by=by.user_id, action="make invite", detail=detail)
    return str(invite.code)


@access_pattern
def end_invite(*, by: Viewer, code: str) -> None:
    """Ends an invitation at once. Raises `NotFound`. One TransactWriteItems with the audit entry. In all 6 write units
    and 1 read unit."""
    if not CODE.fullmatch(code):
        raise NotFound("no such invitation")
    record(Delete(keys.invite(code)), by=by.user_id, action="end invite")
