"""Items of how the site is set up: all of partition `site`, which is small and read whole (`site_rules.py`), and
invitations. Shape and keys only: the forms in `moderation/rules/` say what they may hold."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Self

from pynamodb.attributes import (
    BooleanAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from socialsite.table import Item, keys


class SiteSettings(Item, discriminator="SiteSettings"):
    """How people sign up, what waits for a moderator, and the banner on every page. There is only one such item. Until
    `slow_until` the site is slowed down. `topics_shown` says whether Explore names what many talk about now.
    `translate_url` is where moderators find translations, and `junior_…` is what junior moderators may do. After
    `looks_before_pause` reported pictures on one day staff are asked to take a break."""

    family = "site"
    page = "/about"

    sign_up = UnicodeAttribute(null=True)
    sign_ups_a_day = NumberAttribute(default=0)
    hold_first_posts = NumberAttribute(default=0)
    banner = UnicodeAttribute(attr_name="content", null=True)
    banner_until = UnicodeAttribute(null=True)
    public_log = BooleanAttribute(default=False)
    log_shows_names = BooleanAttribute(default=False)
    slow_until = UnicodeAttribute(null=True)
    topics_shown = BooleanAttribute(default=False)
    translate_url = UnicodeAttribute(null=True)
    junior_wave = NumberAttribute(null=True)
    junior_days = NumberAttribute(null=True)
    junior_level = UnicodeAttribute(null=True)
    looks_before_pause = NumberAttribute(null=True)


class SiteHelp(Item, discriminator="SiteHelp"):
    """Who helps people in danger, one line each (`help_lines.py`), and the role of those of the staff who are told at
    once. There is only one such item. Without it the built-in lines hold."""

    family = "site"
    page = "/help/now"

    lines = UnicodeAttribute(attr_name="content")
    danger_role = UnicodeAttribute(null=True)


class SiteMaintenance(Item, discriminator="SiteMaintenance"):
    """From `begins` until `ends` the site is only read (`read_only.py`). There is only one such item, and none on a
    site where nothing was ever announced. `message` is what the operator says beside the times. `open_ended` says that
    people are told no end: `ends` is then the latest one that is safe."""

    family = "site"
    page = "/moderation/read-only"

    begins = UnicodeAttribute()
    ends = UnicodeAttribute(attr_name="until")
    message = UnicodeAttribute(attr_name="content", null=True)
    open_ended = BooleanAttribute(default=False)


class SiteProcedure(Item, discriminator="SiteProcedure"):
    """What staff do about an illegal picture in one country, in their own words; `-` is for every other country. Not in
    the partition of the rest of the set-up, as only its own page reads it."""

    family = "site"
    page = "/moderation/procedures"

    country = UnicodeAttribute()
    text = UnicodeAttribute(attr_name="content")


class SiteRule(Item, discriminator="SiteRule"):
    """One rule that people here agree to. A built-in rule has no words of its own until staff change it, so that
    everyone reads it in their language. `reason` is what breaks the rule. Older rules have none."""

    family = "site"
    page = "/rules"

    rule_id = UnicodeAttribute()
    title = UnicodeAttribute(null=True)
    text = UnicodeAttribute(attr_name="content", null=True)
    reason = UnicodeAttribute(null=True)
    severity = NumberAttribute()
    order = NumberAttribute()

    @classmethod
    def new(
        cls, *, rule_id: str, title: str | None, text: str | None, severity: int, order: int
    ) -> Self:
        key = keys.site_rule(rule_id)
        return cls(*key, rule_id=rule_id, title=title, text=text, severity=severity, order=order)


class WordRule(Item, discriminator="WordRule"):
    """A word filter: what happens to a post with a certain word, or a link to a certain site. `rule_id` is the filter's
    own id, which an edit keeps, and `site_rule` the site rule that such a post breaks. `options` say how else its words
    are read (`socialsite/site_settings/word_filters.py`), and `days` how long it limits accounts."""

    family = "site"

    rule_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    pattern = UnicodeAttribute()
    effect = UnicodeAttribute()
    site_rule = UnicodeAttribute(null=True)
    created = UnicodeAttribute()
    options = UnicodeSetAttribute(null=True)
    days = NumberAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        rule_id: str,
        kind: str,
        pattern: str,
        effect: str,
        site_rule: str,
        created: str,
        options: Collection[str] = (),
        days: int | None = None,
    ) -> Self:
        return cls(
            *keys.word_rule(rule_id),
            rule_id=rule_id,
            kind=kind,
            pattern=pattern,
            effect=effect,
            site_rule=site_rule or None,
            created=created,
            options=set(options) or None,
            days=days,
        )


class EmailDomainBlock(Item, discriminator="EmailDomainBlock"):
    """Nobody can sign up with an email address of this domain or its subdomains."""

    family = "site"

    domain = UnicodeAttribute()

    @classmethod
    def new(cls, *, domain: str) -> Self:
        return cls(*keys.email_domain_block(domain), domain=domain)


class AddressBlock(Item, discriminator="AddressBlock"):
    """People from this network cannot sign up, or wait for approval."""

    family = "site"

    network = UnicodeAttribute()
    effect = UnicodeAttribute()
    comment = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, network: str, effect: str, comment: str) -> Self:
        key = keys.address_block(network)
        return cls(*key, network=network, effect=effect, comment=comment or None)


class RefusedTopic(Item, discriminator="RefusedTopic"):
    """A tag that Explore never names among the topics that many talk about now."""

    family = "site"
    page = "/tags/{tag}"

    tag = UnicodeAttribute()

    @classmethod
    def new(cls, *, tag: str) -> Self:
        return cls(*keys.refused_topic(tag), tag=tag)


class TextPreset(Item, discriminator="TextPreset"):
    """A template: a message that moderators need often, offered for one action, and with `rule_id` for one rule.
    Without title and text it was written in other languages alone."""

    family = "site"

    preset_id = UnicodeAttribute()
    action = UnicodeAttribute()
    rule_id = UnicodeAttribute(null=True)
    title = UnicodeAttribute(null=True)
    text = UnicodeAttribute(attr_name="content", null=True)

    @classmethod
    def new(cls, *, preset_id: str, action: str, title: str, text: str) -> Self:
        key = keys.text_preset(preset_id)
        return cls(*key, preset_id=preset_id, action=action, title=title, text=text)


class SiteText(Item, discriminator="SiteText"):
    """The words of a rule, a template or the banner in a language other than the site's own, and the name of a level
    in any language. The banner has no id and no title."""

    family = "site"

    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute(null=True)
    language = UnicodeAttribute()
    title = UnicodeAttribute(null=True)
    text = UnicodeAttribute(attr_name="content", null=True)
    reason = UnicodeAttribute(null=True)


class SiteLevel(Item, discriminator="SiteLevel"):
    """What a level asks for and limits, once staff have changed it (`levels.py`). A missing limit is none. Its names
    are `SiteText`s."""

    family = "site"

    level = UnicodeAttribute()
    days = NumberAttribute(default=0)
    posts = NumberAttribute(
        attr_name="least_posts", default=0
    )  # other items have sets of that name
    links = NumberAttribute(attr_name="most_links", null=True)
    photos = NumberAttribute(attr_name="most_photos", null=True)
    mentions = NumberAttribute(attr_name="most_mentions", null=True)


class SiteVoteNotice(Item, discriminator="SiteVoteNotice"):
    """That staff have put a question to the vote (`site_votes/`), for the links on every page. It expires a day after
    the end."""

    family = "site"
    page = "/votes/{vote_id}"
    vote_id = UnicodeAttribute()
    question = UnicodeAttribute(attr_name="content")
    ends = UnicodeAttribute(attr_name="until")

    @classmethod
    def new(cls, *, vote_id: str, question: str, ends: datetime) -> Self:
        return cls(
            *keys.site_vote_notice(vote_id),
            vote_id=vote_id,
            question=question,
            ends=ends.isoformat(timespec="seconds"),
            ttl=ends + timedelta(days=1),
        )


class Invite(Item, discriminator="Invite"):
    """Lets a number of people sign up who could not otherwise, until it expires or is used up."""

    family = "site"

    code = UnicodeAttribute()
    creator_id = UnicodeAttribute()
    uses_left = NumberAttribute()
    comment = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls, *, code: str, creator_id: str, uses_left: int, comment: str, ttl: datetime
    ) -> Self:
        return cls(
            *keys.invite(code),
            code=code,
            creator_id=creator_id,
            uses_left=uses_left,
            comment=comment or None,
            ttl=ttl,
        )
