"""Tags."""

from typing import Any

from socialsite.texts import tag_url


def tag_of(tag: str, here: str, **known: Any) -> dict[str, Any]:
    """Returns a folded tag. The site tells no numbers of its days."""
    return {
        "id": tag,
        "name": tag,
        "url": f"{here}{tag_url(tag)}",
        "history": [],
        **known,
    }
