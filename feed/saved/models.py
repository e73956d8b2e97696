"""What people keep for themselves. Shape and keys only."""

from typing import Self

from pynamodb.attributes import UnicodeAttribute

from socialsite.table import Item, keys


class SavedPost(Item, discriminator="SavedPost"):
    """On a person's shelf: a post they saved. Only they read it.

    Every saved post has one among all of them. If it is in a folder, an equal one among those of the folder. `folder`
    is the folder's id. It means nothing any more once the folder is deleted. `saved_at` is when it was saved first.
    """

    page = "/@{author_id}/posts/{post_id}"

    user_id = UnicodeAttribute()
    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    saved_at = UnicodeAttribute()
    folder = UnicodeAttribute(null=True)
    note = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        post_id: str,
        author_id: str,
        saved_at: str,
        folder: str = "",
        note: str = "",
        among: str = "",
    ) -> Self:
        """`among` is the folder whose list the item is for; empty for the list of all."""
        key = keys.saved_post(user_id, post_id, among)
        return cls(
            *key,
            user_id=user_id,
            post_id=post_id,
            author_id=author_id,
            saved_at=saved_at,
            folder=folder or None,
            note=note or None,
        )
