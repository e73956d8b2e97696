"""The forms for blocking email domains and networks, several at once, one on each line."""

from ipaddress import IPv4Network, IPv6Network, ip_network

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from socialsite.hosts import is_host, normal_host
from socialsite.site.site_setup import AddressEffect
from socialsite.web.fields import PlainTextField

MOST_LINES = 50
IPV6_KNOWN = 64  # only this many bits of an IPv6 address tell people apart
WIDEST = {4: 8, 6: 16}  # a wider block would block half of the world


class DomainsForm(forms.Form):
    domains = PlainTextField(
        label=_("Domains"),
        help_text=_("One per line, such as example.com. Subdomains are blocked too."),
        max_characters=5000,
        multiline=True,
    )

    def clean_domains(self) -> list[str]:
        domains = [
            normal_host(line.rpartition("@")[2]) for line in lines_of(self.cleaned_data["domains"])
        ]
        if wrong := next((domain for domain in domains if not is_host(domain)), None):
            text = _("“%(line)s” is not a domain. Write it like example.com.")
            raise ValidationError(text, code="domain", params={"line": wrong})
        return domains


class NetworksForm(forms.Form):
    networks = PlainTextField(
        label=_("Networks"),
        help_text=_("One per line: an address, or a range such as 203.0.113.0/24."),
        max_characters=2500,
        multiline=True,
    )
    effect = forms.ChoiceField(
        label=_("People on these networks"),
        choices=[
            (AddressEffect.BLOCK, _("Cannot sign up")),
            (AddressEffect.APPROVAL, _("Need approval to join")),
        ],
    )
    comment = PlainTextField(
        label=_("Reason"),
        help_text=_("Other moderators will see this."),
        max_characters=200,
        required=False,
    )

    def clean_networks(self) -> list[IPv4Network | IPv6Network]:
        return [network_of(line) for line in lines_of(self.cleaned_data["networks"])]


def lines_of(text: str) -> list[str]:
    lines = list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
    if len(lines) > MOST_LINES:
        message = ngettext(
            "Add up to %(limit)d line at a time.",
            "Add up to %(limit)d lines at a time.",
            MOST_LINES,
        )
        raise ValidationError(message, code="lines", params={"limit": MOST_LINES})
    return lines


def network_of(line: str) -> IPv4Network | IPv6Network:
    """Returns the network that this line names. For IPv6 it is at least as large as a household's."""
    try:
        network = ip_network(line, strict=False)
    except ValueError as error:
        text = _("“%(line)s” is not a network. Write it like 203.0.113.0/24.")
        raise ValidationError(text, code="network", params={"line": line}) from error
    if network.version == 6 and network.prefixlen > IPV6_KNOWN:
        network = network.supernet(new_prefix=IPV6_KNOWN)
    if network.prefixlen < WIDEST[network.version]:
        text = _("“%(line)s” covers too much of the internet. Choose a smaller range.")
        raise ValidationError(text, code="wide", params={"line": line})
    return network
