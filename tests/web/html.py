"""An answer's HTML as tests look at it: elements with their attributes and text, form fields, messages beside them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.http import HttpResponse

VOID = {"meta", "link", "img", "input", "br", "hr", "circle", "use"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.parts).split())

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]


class Html(HTMLParser):
    """`Html(response).all("a", rel="next")`: what a browser would find."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(response.content.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        for number in range(len(self._open) - 1, -1, -1):
            if self._open[number].tag == tag:
                del self._open[number:]
                return

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.parts.append(data)

    def all(self, tag: str = "", **attributes: str) -> list[Element]:
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            element
            for element in self.elements
            if tag in ("", element.tag)
            and all(value in _words(element, name) for name, value in wanted.items())
        ]

    def one(self, tag: str = "", **attributes: str) -> Element:
        found = self.all(tag, **attributes)
        assert len(found) == 1, f"{len(found)} of {tag} {attributes}"
        return found[0]

    def value(self, name: str) -> str:
        """What stands in a form field."""
        element = next(e for e in self.all(name=name) if e.tag in ("input", "textarea"))
        if element.tag == "textarea":
            return "".join(element.parts).removeprefix("\n")
        return element.attributes.get("value", "")

    def error(self, name: str) -> str:
        """The message beside a form field, empty if there is none."""
        return " ".join(element.text for element in self.all(id=f"id_{name}_error"))

    def post_ids(self) -> list[str]:
        """The posts on the page, in order."""
        return [e["id"].removeprefix("post-") for e in self.all("article", class_="post")]

    def handles(self) -> list[str]:
        """The people on the page, in order."""
        links = self.all("a", class_="person-name")
        return [link["href"].removeprefix("/@") for link in links]

    def link(self, rel: str) -> str | None:
        """Where the `next` or `prev` link of a list goes."""
        found = self.all("a", rel=rel)
        return found[0]["href"] if found else None


def _words(element: Element, name: str) -> list[str]:
    value = element.attributes.get(name)
    return [] if value is None else [value, *value.split()]


def shown_name(response: HttpResponse) -> str:
    """The name at the head of a profile."""
    return Html(response).one("h2", class_="profile-name").text
