"""People, as accounts."""

from datetime import datetime
from typing import Any

from django.conf import settings

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from feed.posts.models import Audience
from socialsite.table import ids

# Clients ask for a picture of everyone, and know by this name that it is none. So it is the name without a hash.
NO_PICTURE = "icons/missing.png"


def as_html(html: str, here: str) -> str:
    """Returns the site's own HTML of a text as it stands anywhere: only its own links begin with a slash."""
    if not html:
        return ""
    anywhere = html.replace('href="/', f'href="{here}/').replace("\n", "<br>")
    return f"<p>{anywhere}</p>"


def moment(when: datetime | None) -> str | None:
    return when.strftime("%Y-%m-%dT%H:%M:%S.000Z") if when else None


def account_of(person: PersonCard, here: str) -> dict[str, Any]:
    """Returns a person as others see them. Counts that were not read are 0: lists do not read them, profiles do."""
    begun = ids.time_of(person.user_id).replace(hour=0, minute=0, second=0)
    nothing = f"{here}{settings.STATIC_URL}{NO_PICTURE}"
    picture = _address(person.avatar_url, here) or nothing
    header = _address(next(iter(person.header_sizes.values()), ""), here) or nothing
    return {
        "id": person.user_id,
        "username": person.handle,
        "acct": person.handle,
        "display_name": person.name,
        "locked": person.is_locked,
        "bot": False,
        "group": False,
        "discoverable": not person.not_suggested,
        "indexable": person.is_indexed,
        "noindex": not person.is_indexed,
        "created_at": moment(begun),
        "note": as_html(person.bio_html, here),
        "url": f"{here}{person.url}",
        "uri": f"{here}{person.url}",
        "avatar": picture,
        "avatar_static": picture,
        "header": header,
        "header_static": header,
        "followers_count": person.followers or 0,
        "following_count": person.following or 0,
        "statuses_count": person.posts or 0,
        "last_status_at": None,
        "hide_collections": False,
        "emojis": [],
        "roles": [],
        "fields": [],
    }


def own_account_of(person: PersonCard, viewer: Viewer, here: str) -> dict[str, Any]:
    """Returns a person as they see themselves."""
    source = {
        "privacy": VISIBILITIES[Audience.EVERYONE],
        "sensitive": False,
        "language": None,
        "note": person.bio,
        "fields": [],
        "follow_requests_count": viewer.waiting.requests,
        "discoverable": not person.not_suggested,
        "indexable": person.is_indexed,
        "hide_collections": False,
        "attribution_domains": [],
    }
    # No role is told: an app never acts as staff.
    role = {"id": "-99", "name": "", "color": "", "permissions": "0", "highlighted": False}
    return account_of(person, here) | {"source": source, "role": role}


VISIBILITIES = {Audience.EVERYONE: "public"}  # everything else is `private`


def _address(url: str, here: str) -> str:
    return f"{here}{url}" if url.startswith("/") else url
