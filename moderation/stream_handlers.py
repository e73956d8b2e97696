"""The stream's effects on moderation: each behaviour's are in its `stream.py`. Only the stream worker calls them."""

import moderation.bulk_decisions.stream
import moderation.cases.stream
import moderation.danger.stream
import moderation.desks.stream
import moderation.figures.stream
import moderation.levels.stream
import moderation.people.stream
import moderation.pictures.stream
import moderation.reporters.stream
import moderation.reports.stream
import moderation.securing.stream
import moderation.seniors.stream
import moderation.staff.stream
import moderation.suspicions.stream  # noqa: F401
