"""All items about what people say: Django imports this module, and each behaviour's are in its own `models.py`."""

import feed.composing.models
import feed.explore.models
import feed.likes.models
import feed.polls.models
import feed.posts.models
import feed.publishing.models
import feed.saved.models
import feed.timelines.models  # noqa: F401
