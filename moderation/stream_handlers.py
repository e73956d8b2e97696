"""The stream's effects on moderation: each behaviour's are in its `stream.py`. Only the stream worker calls them."""

import moderation.bulk_decisions.stream
import moderation.cases.stream
import moderation.danger.stream
import moderation.levels.stream
import moderation.people.stream
import moderation.pictures.stream
import moderation.reports.stream
import moderation.staff.stream
import moderation.suspicions.stream  # noqa: F401
