"""A home timeline beside the model."""

from accounts.models import UserSettings
from accounts.people.viewer import Viewer
from feed.home.reads import get_timeline
from feed.timelines.big_authors import ask_to_merge, get_news
from socialsite.table import get, keys
from tests.model.expectations import Model


def compare_timeline(model: Model, user_id: str) -> None:
    """Whether a person's home shows what the model says, page by page."""
    account = model.accounts[user_id]
    viewer = _returning(user_id)
    ask_to_merge(viewer, get_news(viewer))  # the next comparison sees what the worker made of it
    shown: list[str] = []
    reposted: list[str] = []
    cursor = None
    while True:
        page = get_timeline(viewer, cursor=cursor)
        shown += [card.post_id for card in page.items if not card.reposters]
        reposted += [card.post_id for card in page.items if card.reposters]
        cursor = page.next_cursor
        if not cursor:
            break
    assert shown == sorted(set(shown), reverse=True), "newest first, each once"
    assert account.expected <= {*shown, *reposted}, f"{account.handle} misses posts"
    assert set(shown) <= account.allowed, f"{account.handle} sees too much"
    brought = model.brought(user_id)
    assert set(reposted) <= brought, f"{account.handle} sees too many reposts"


def _returning(user_id: str) -> Viewer:
    own = get(UserSettings, keys.user_settings(user_id), consistent=True)
    return Viewer(user_id, pulled=tuple(sorted(own.pulled or ())), merged=own.merged or "")
