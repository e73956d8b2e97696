"""Items about what people take with them and what is deleted: `old_posts.py`."""

from privacy.models.old_posts import OldPostsWish as OldPostsWish
