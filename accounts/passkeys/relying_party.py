"""For which domain do passkeys work here? Browsers give a passkey to the domain that it was made for, and to no other
site, which is why nobody can be lured into giving it away."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest

LOCAL = "localhost"  # the only name that browsers accept without HTTPS


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The domain that passkeys are made for, and the origins whose pages may ask for them."""

    domain: str
    origins: tuple[str, ...]


def relying_party(request: HttpRequest) -> RelyingParty | None:
    """Returns the domain of the settings or, on a laptop, localhost. None where passkeys cannot work, such as on
    127.0.0.1: browsers refuse them for addresses without a name."""
    if settings.PASSKEY_DOMAIN:
        return RelyingParty(settings.PASSKEY_DOMAIN, tuple(settings.PASSKEY_ORIGINS))
    host = request.get_host()
    if host.partition(":")[0] == LOCAL:
        return RelyingParty(LOCAL, (f"{request.scheme}://{host}",))
    return None
