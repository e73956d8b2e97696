"""Items about what people take with them and what is deleted: `erasure.py`, `exports.py`, `old_posts.py`."""

from privacy.models.erasure import Erasure as Erasure
from privacy.models.erasure import Receipt as Receipt
from privacy.models.erasure import State as State
from privacy.models.exports import Export as Export
from privacy.models.old_posts import OldPostsWish as OldPostsWish
