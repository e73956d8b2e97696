"""Who helps people in danger, by country: lines that staff edit, and those that stand there before they do.

A country is guessed from the reader's time zone, which is all that the site knows of where somebody is.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from babel import Locale, UnknownLocaleError
from django.utils.translation import get_language, to_locale

SEPARATOR = "|"
FIELDS = 4  # country, name, number, address
LONGEST = 3000  # characters of all lines together

# Checked by nobody but their own pages: staff look at those of their countries before they rely on them.
BUILT_IN = """\
AT | TelefonSeelsorge | 142 | https://www.telefonseelsorge.at
AU | Lifeline | 13 11 14 | https://www.lifeline.org.au
BR | CVV | 188 | https://cvv.org.br
CA | Suicide Crisis Helpline | 988 | https://988.ca
CH | Die Dargebotene Hand | 143 | https://www.143.ch
CN | 全国统一心理援助热线 | 12356
DE | TelefonSeelsorge | 0800 1110111 | https://www.telefonseelsorge.de
ES | Línea 024 | 024
FR | Numéro national de prévention du suicide | 3114 | https://3114.fr
GB | Samaritans | 116 123 | https://www.samaritans.org
IE | Samaritans | 116 123 | https://www.samaritans.org
IN | Tele-MANAS | 14416 | https://telemanas.mohfw.gov.in
KR | 자살예방 상담전화 | 109
NL | 113 Zelfmoordpreventie | 113 | https://www.113.nl
NZ | 1737 | 1737 | https://1737.org.nz
PL | Telefon zaufania | 116 123
US | 988 Suicide & Crisis Lifeline | 988 | https://988lifeline.org
"""
# A directory for every country.
EVERYWHERE = "https://findahelpline.com"


class BadLine(ValueError):
    """A line that names no country, nobody, or neither number nor address."""


@dataclass(frozen=True, slots=True)
class HelpLine:
    country: str  # two letters, ISO 3166
    name: str
    number: str = ""
    address: str = ""  # of its page

    @property
    def country_name(self) -> str:
        """Returns the country in the reader's language."""
        return name_of_country(self.country)

    @property
    def tel(self) -> str:
        """Returns the number as a link dials it."""
        return "".join(sign for sign in self.number if sign.isdigit() or sign == "+")


def read_lines(text: str) -> tuple[HelpLine, ...]:
    """Returns the lines of a text, by country in the order in which they stand. Raises `BadLine` with the first line
    that is none."""
    lines = (line.strip() for line in text.splitlines())
    return tuple(_line(line) for line in lines if line)


def readable_lines(text: str) -> tuple[HelpLine, ...]:
    """As `read_lines`, but leaves out what can be read no more, such as a country that is gone."""
    found: list[HelpLine] = []
    for line in text.splitlines():
        with suppress(BadLine):
            found += read_lines(line)
    return tuple(found)


def as_text(lines: Iterable[HelpLine]) -> str:
    """Returns the lines as staff edit them."""
    parts = ((one.country, one.name, one.number, one.address) for one in lines)
    return "\n".join(f" {SEPARATOR} ".join(line).rstrip(f" {SEPARATOR}") for line in parts)


def _line(text: str) -> HelpLine:
    country, *rest = (part.strip() for part in text.split(SEPARATOR))
    name, number, address = (*rest, "", "", "")[:3]
    country = country.upper()
    is_address = not address or address.startswith("https://")
    if len(rest) >= FIELDS or not name or not (number or address) or not is_address:
        raise BadLine(text)
    if len(country) != 2 or country not in Locale("en").territories:
        raise BadLine(text)
    if number and not any(sign.isdigit() for sign in number):
        raise BadLine(text)
    return HelpLine(country, name, number, address)


def name_of_country(code: str) -> str:
    try:
        locale = Locale.parse(to_locale(get_language() or "en"))
    except (UnknownLocaleError, ValueError):
        locale = Locale("en")
    return str(locale.territories.get(code, code))


@cache
def _countries_of_zones() -> dict[str, str]:
    """Returns the country of each zone. Browsers call some by an older name, such as Asia/Calcutta."""
    folder = files("tzdata.zoneinfo")
    table = folder.joinpath("zone.tab").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    found = {zone: country for country, _, zone, *_ in rows}
    links = folder.joinpath("tzdata.zi").read_text(encoding="utf-8").splitlines()
    for _, present, former in (line.split() for line in links if line.startswith("L ")):
        if present in found:
            found.setdefault(former, found[present])
    return found


def country_of_zone(zone: str) -> str:
    """Returns the country of a time zone such as Europe/Berlin, empty for one that is no country's, such as UTC."""
    return _countries_of_zones().get(zone, "")
