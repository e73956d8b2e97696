"""A site's set-up as values: what `site_rules.py` reads from the table, and the defaults of a new site."""

from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_address

from django.utils.translation import gettext

from socialsite.clock import utc_now_iso
from socialsite.hosts import is_within, normal_host
from socialsite.site.default_rules import MINOR, OTHER, REASONS, SEVERITIES, TEXTS, TITLES
from socialsite.site.word_filters import Effect, Word, matches


class SignUp(StrEnum):
    OPEN = "open"
    INVITE = "invite"  # only with an invitation
    APPROVAL = "approval"  # everyone waits until a moderator approves
    CLOSED = "closed"


class AddressEffect(StrEnum):
    BLOCK = "block"
    APPROVAL = "approval"


@dataclass(frozen=True, slots=True)
class Rule:
    """A site rule. Without words of its own it is a built-in one, shown in the reader's language."""

    rule_id: str
    severity: int
    order: int = 0
    own_title: str = ""
    own_text: str = ""
    own_reason: str = ""

    @property
    def title(self) -> str:
        return self.own_title or str(TITLES.get(self.rule_id, TITLES[OTHER]))

    @property
    def reason(self) -> str:
        """Returns what breaks the rule, as reports and cases name it: "Spam" for "No spam"."""
        if self.own_reason:
            return self.own_reason
        if not self.own_title:
            return str(REASONS.get(self.rule_id, REASONS[OTHER]))
        return gettext("Breaks “%(rule)s”") % {"rule": self.own_title}

    @property
    def text(self) -> str:
        return self.own_text or str(TEXTS.get(self.rule_id, ""))


@dataclass(frozen=True, slots=True)
class Preset:
    preset_id: str
    action: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class BlockedNetwork:
    network: IPv4Network | IPv6Network
    effect: str
    comment: str = ""


DEFAULT_RULES = tuple(
    Rule(rule_id, severity, order) for order, (rule_id, severity) in enumerate(SEVERITIES.items())
)
SOMETHING_ELSE = Rule(OTHER, MINOR)


@dataclass(frozen=True, slots=True)
class SiteRules:
    """Everything in partition `site`. The defaults apply if nothing is stored."""

    sign_up: str = SignUp.OPEN
    sign_ups_a_day: int = 0  # 0: no limit
    hold_first_posts: int = 0  # how many first posts of a newcomer wait for review
    banner: str = ""
    banner_until: str = ""  # ISO, empty: no end
    public_log: bool = False
    log_shows_names: bool = False
    rules: tuple[Rule, ...] = DEFAULT_RULES
    has_own_rules: bool = False
    words: tuple[Word, ...] = ()
    domains: tuple[str, ...] = ()
    networks: tuple[BlockedNetwork, ...] = ()
    presets: tuple[Preset, ...] = ()

    @property
    def shown_banner(self) -> str:
        now = utc_now_iso()
        return self.banner if not self.banner_until or now < self.banner_until else ""

    def rule_of(self, rule_id: str) -> Rule:
        """Returns the rule with this id, "something else" for an empty id or a rule that is gone."""
        return next((rule for rule in self.rules if rule.rule_id == rule_id), SOMETHING_ELSE)

    def words_met(self, flagged: str) -> list[Word]:
        """Returns the word filters that `Post.flagged` names, if they still exist."""
        ids = flagged.split()
        return [word for word in self.words if word.rule_id in ids]

    def refusal(self, text: str) -> str:
        """Returns the sentence that says why the word filters refuse a text, empty if they do not."""
        refusing = (word for word in self.words if word.effect == Effect.REFUSE)
        broken = next(iter(matches(text, refusing)), None)
        if broken is None:
            return ""
        if not broken.site_rule:
            return gettext(
                "This has words or a link that aren’t allowed here. Change it and try again."
            )
        rule = self.rule_of(broken.site_rule)
        return gettext("This breaks one of our rules. %(title)s: %(text)s") % {
            "title": rule.title,
            "text": rule.text,
        }

    def presets_for(self, action: str) -> list[Preset]:
        return [preset for preset in self.presets if preset.action == action]

    def blocks_email(self, address: str) -> bool:
        """Whether the domain of an email address, or one above it, is blocked."""
        host = normal_host(address.rpartition("@")[2])
        return any(is_within(host, domain) for domain in self.domains)

    def effect_on(self, address: str) -> str:
        """Returns the strictest `AddressBlock` effect on this address, empty if there is none."""
        try:
            ip = ip_address(address)
        except ValueError:
            return ""
        effects = {blocked.effect for blocked in self.networks if ip in blocked.network}
        order = (AddressEffect.BLOCK, AddressEffect.APPROVAL)
        return next((effect for effect in order if effect in effects), "")
