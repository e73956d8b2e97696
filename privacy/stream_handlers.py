"""What the worker and the clock do about people's own data: each behaviour's is in its `stream.py`. Every handler may
run twice."""

import privacy.erasure.stream
import privacy.export.stream
import privacy.holds.stream
import privacy.importing.stream
import privacy.old_posts.stream  # noqa: F401
