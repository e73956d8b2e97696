"""The present text of a post and its audience, as its author changes them."""

from dataclasses import dataclass

from accounts.viewer import Viewer
from feed.cards import post_url
from feed.models import Post
from socialsite.table import keys, reading
from socialsite.table.meter import access_pattern


@dataclass(frozen=True, slots=True)
class OwnText:
    """`is_withheld` says that only the author sees the post, so that it cannot be edited. Neither can a post with a
    poll."""

    post_id: str
    url: str
    content: str
    warning: str
    lang: str
    version: int
    is_withheld: bool
    has_poll: bool
    audience: str
    circle: str  # its id
    needs_words: bool  # as it has no photos

    @property
    def as_typed(self) -> dict[str, str | int]:
        """Returns the fields of the form of an edit."""
        fields = {"content": self.content, "warning": self.warning, "language": self.lang}
        return {**fields, "version": self.version}

    @property
    def edit_url(self) -> str:
        return f"{self.url}/edit"


@access_pattern
def get_own_text(post_id: str, *, viewer: Viewer) -> OwnText:
    """Returns what one of the viewer's own posts says now, and whom it is for. Raises `NotFound`, also for
    other people's posts.

    GetItem of `u#<id>#post` `p#<post>`, consistent, 1 read unit.
    """
    post = reading.get(Post, keys.post(viewer.user_id, post_id), consistent=True)
    return OwnText(
        post_id=post_id,
        url=post_url(viewer.handle, post_id),
        content=post.content,
        warning=post.warning or "",
        lang=post.lang or "",
        version=int(post.version or 1),
        is_withheld=bool(post.withheld),
        has_poll=bool(post.poll),
        audience=post.audience or "",
        circle=post.circle or "",
        needs_words=not post.photos,
    )
