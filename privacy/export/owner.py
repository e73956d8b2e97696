"""The person whose data are exported, as the steps need to know them, and how people and posts are named."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from accounts.cards import profile_url
from accounts.circles import circles_of
from accounts.models import UserInfo, UserSettings
from accounts.viewer import Viewer
from feed.cards.addresses import post_url
from privacy.export.fields import Record
from privacy.models import Export
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row

Handles = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Owner:
    """A person with an export that is being made."""

    user_id: str
    export: Export
    info: RawItem
    settings: RawItem
    count: RawItem

    @property
    def handle(self) -> str:
        return row(UserInfo, self.info).handle

    @property
    def site(self) -> str:
        """The address of the site, without a slash at its end."""
        return self.export.site

    @property
    def host(self) -> str:
        return urlsplit(self.site).netloc

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.user_id, circles=circles_of(self.settings))

    @property
    def circles(self) -> dict[str, str]:
        return dict(row(UserSettings, self.settings).circles or {})

    @property
    def folders(self) -> dict[str, str]:
        return dict(row(UserSettings, self.settings).folders or {})

    def person(self, user_id: str, handles: Handles) -> Record:
        """Names a person. People who are gone have neither handle nor address."""
        handle = handles.get(user_id, "")
        url = f"{self.site}{profile_url(handle)}" if handle else ""
        return {"id": user_id, "handle": handle, "url": url}

    def post(self, post_id: str, author_id: str, handles: Handles) -> Record:
        """Names a post, which may be gone."""
        handle = handles.get(author_id, "")
        url = f"{self.site}{post_url(handle, post_id)}" if handle else ""
        return {"id": post_id, "author": handle, "url": url}

    def post_or_none(self, post_id: str, author_id: str, handles: Handles) -> Record | None:
        return self.post(post_id, author_id, handles) if post_id else None


@access_pattern
def find_owner(user_id: str, export_id: str) -> Owner | None:
    """Returns the person with their export. None if the export is no longer wanted: it or the person is gone, or
    another one was asked for since. One consistent BatchGetItem of four keys, 4 read units."""
    export, info = keys.export(user_id), keys.user_info(user_id)
    settings, count = keys.user_settings(user_id), keys.user_count(user_id)
    found = fetch([export, info, settings, count], consistent=True)
    if export not in found or info not in found:
        return None
    wanted = row(Export, found[export])
    if wanted.export_id != export_id:
        return None
    return Owner(user_id, wanted, found[info], found.get(settings, {}), found.get(count, {}))


@access_pattern
def name_people(user_ids: Iterable[str]) -> dict[str, str]:
    """Returns the handle of each person, without those who are gone. One BatchGetItem per 100 people, 0.5 read units
    each."""
    found = fetch(keys.user_info(user_id) for user_id in user_ids if user_id)
    infos = (row(UserInfo, raw) for raw in found.values())
    return {info.user_id: info.handle for info in infos}
