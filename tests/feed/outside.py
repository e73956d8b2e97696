"""What other sites and search engines find in an answer: the tags of a page's head, the entries of a feed."""

import re
from dataclasses import dataclass
from xml.etree import ElementTree

from django.http import HttpResponse

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from accounts.profile.writes import save_privacy
from socialsite.table import change, keys
from tests.web.html import Html

ONCE = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")[^"]+')
ATOM = {"a": "http://www.w3.org/2005/Atom"}


def describe(author: Viewer, **values: str) -> None:
    """Writes straight into a person's info."""
    actions = [getattr(UserInfo, name).set(value) for name, value in values.items()]
    change(UserInfo, keys.user_info(author.user_id), actions)


def stay_out_of_search_engines(author: Viewer) -> None:
    save_privacy(
        by=author, locked=False, archived_before=None, not_suggested=False, not_indexed=True
    )


def opengraph(page: Html) -> dict[str, str]:
    """Its properties, without `og:`."""
    tags = [tag for tag in page.all("meta") if "property" in tag.attributes]
    return {tag["property"].removeprefix("og:"): tag["content"] for tag in tags}


def told(response: HttpResponse, *differing: str) -> tuple[int, str]:
    """Status and page of an answer, without what is new in every answer, and without the given parts of its address."""
    page = ONCE.sub("", response.content.decode())
    for part in (response["X-Request-ID"], *differing):
        page = page.replace(part, "")
    return response.status_code, page


def canonical(page: Html) -> str:
    return page.one("link", rel="canonical")["href"]


def is_indexed(page: Html) -> bool:
    return "noindex" not in [tag["content"] for tag in page.all("meta", name="robots")]


@dataclass
class Feed:
    """A feed as a reader parses it. Raises where it is no XML."""

    root: ElementTree.Element

    @classmethod
    def of(cls, response: HttpResponse) -> "Feed":
        assert response.status_code == 200
        return cls(ElementTree.fromstring(response.content))

    def text(self, path: str) -> str:
        found = self.root.find(path, ATOM)
        assert found is not None, path
        return found.text or ""

    def texts(self, path: str) -> list[str]:
        """Of each entry."""
        return [found.text or "" for found in self.root.findall(f"a:entry/{path}", ATOM)]

    def links(self, path: str, rel: str) -> list[str]:
        return [
            link.attrib["href"]
            for link in self.root.findall(path, ATOM)
            if link.attrib.get("rel") == rel
        ]
