"""Figures of the cost page as text: `{{ total.dollars|money }}`, `{% share_bar total.dollars of=all %}`."""

import re
from decimal import Decimal

from django import template
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from accounts.people.cards import count_text
from costs import prices
from costs.report import share_bar as share_bar_of
from costs.spent import LABELS, Feature
from socialsite.prices import Price
from socialsite.table import WORKER
from socialsite.table.meter import CLOCK, JOB

register = template.Library()

KINDS = {WORKER: _("Stream handler"), JOB: _("Job"), CLOCK: _("Clock"), "other": _("Other")}


@register.filter
def money(dollars: float | None) -> str:
    return "–" if dollars is None else prices.money(dollars)


@register.filter
def dollars(amount: float | None) -> str:
    """An amount of a bill: with cents below a thousand dollars."""
    return "–" if amount is None else prices.rounded(amount)


@register.filter
def count(number: int) -> str:
    return number_format(number, use_l10n=True, force_grouping=True)


@register.filter
def units(number: float) -> str:
    return prices.units(number)


@register.filter
def in_short(number: float) -> str:
    """A large number as counts are shown elsewhere: 15.7M."""
    return count_text(round(number))


@register.filter
def breakable(name: str) -> SafeString:
    """A name of the code that may be broken where its words end."""
    parts = re.sub("([:_-])", "\\1\n", name).split("\n")
    return format_html_join(mark_safe("<wbr>"), "{}", ((part,) for part in parts))


@register.filter
def feature_label(feature: Feature) -> str | Promise:
    return LABELS[feature]


@register.filter
def kind_label(kind: str) -> str | Promise:
    return KINDS.get(kind, kind)


@register.simple_tag
def share_bar(part: float, of: float) -> SafeString:
    return share_bar_of(part / of if of else 0)


@register.filter
def price_of(amount: float) -> str:
    """A price of the settings, with the decimals that it has."""
    return prices.exactly(Decimal(str(amount)))


@register.filter
def price_text(one: Price) -> str:
    """A price of the list; one in steps as its prices in turn."""
    if isinstance(one.dollars, int | float):
        return number_text(one.dollars)
    return " / ".join(number_text(each) for _up_to, each in one.dollars)


def number_text(number: float) -> str:
    return number_format(f"{Decimal(str(number)).normalize():f}", use_l10n=True)
