"""How many pictures a moderator looked at today, and what staff do about an illegal picture in each country."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.people.viewer import Viewer
from socialsite.site_settings.help_lines import name_of_country
from socialsite.site_settings.models import SiteProcedure
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import access_pattern, keys, query, row
from socialsite.web.limits import LOOKS_AT_PICTURES, hits_so_far
from socialsite.web.rich_text import rich_text


@dataclass(frozen=True, slots=True)
class Pause:
    """The reported pictures that a moderator looked at on this day (UTC), and whether that is enough."""

    looks: int
    is_due: bool


def looks_of(viewer: Viewer) -> Pause:
    """Returns how many the viewer looked at. As `hits_so_far`."""
    looks = hits_so_far(LOOKS_AT_PICTURES, viewer.user_id)
    most = site_rules().looks_before_pause
    return Pause(looks, bool(most) and looks >= most)


EVERYWHERE = "-"  # the country of what holds for every other
# True in every country. Whom to tell there, staff write themselves.
GENERAL = _(
    "1. Look no longer than you must. Don’t save, copy or forward the picture, not even as proof: the case keeps it, "
    "and each look at it is logged.\n"
    "2. Choose “Remove and keep the hash”. The picture is gone for everyone at once, and uploads that "
    "look like it are refused.\n"
    "3. Tell those whom the law of your country names, such as the police or a hotline for such pictures. Hotlines of "
    "many countries: https://www.inhope.org\n"
    "4. Don’t delete the case, and don’t warn the person in any other way. Ask the police, or someone who knows the "
    "law, before you hand anything over. “Export” on the page of the case makes one file of it, with its hashes.\n"
    "5. Add a note to the case: whom you told, when, and the number that they gave you.\n"
    "6. Then take a break, and talk to someone."
)
# Checked by nobody but their own pages: staff look at those of their countries before they rely on them.
BUILT_IN: dict[str, Promise] = {
    EVERYWHERE: GENERAL,
    "AT": _("Hotline: https://www.stopline.at\nAsk the police or a lawyer what you must do here."),
    "CH": _(
        "Hotline: https://www.clickandstop.ch\nAsk the police or a lawyer what you must do here."
    ),
    "DE": _(
        "Hotlines: https://www.internet-beschwerdestelle.de and https://www.jugendschutz.net\n"
        "Ask the police or a lawyer what you must do here."
    ),
    "GB": _("Hotline: https://www.iwf.org.uk\nAsk the police or a lawyer what you must do here."),
    "US": _(
        "Hotline: https://report.cybertip.org\nAsk the police or a lawyer what you must do here."
    ),
}


@dataclass(frozen=True, slots=True)
class Procedure:
    """What staff do in one country. `is_own` says that they wrote it themselves."""

    country: str
    text: str
    is_own: bool

    @property
    def name(self) -> str:
        if self.country == EVERYWHERE:
            return gettext("In every country")
        return name_of_country(self.country)

    @property
    def html(self) -> SafeString:
        return rich_text(self.text, {})

    @property
    def url(self) -> str:
        return f"/moderation/procedures/{self.country}"


@access_pattern
def list_procedures() -> Sequence[Procedure]:
    """Returns what staff do in each country, that for every country first. One consistent Query, 1 read unit per 4
    KB."""
    rows = (row(SiteProcedure, raw) for raw in query(keys.procedures(), consistent=True))
    own = {one.country: one.text for one in rows}
    countries = {EVERYWHERE, *BUILT_IN, *own}
    found = [
        Procedure(country, own.get(country) or str(BUILT_IN.get(country, "")), country in own)
        for country in countries
    ]
    return sorted(found, key=lambda one: (one.country != EVERYWHERE, one.name))
