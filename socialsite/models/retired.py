"""Types of items that older sites wrote: uploaded lists of relationships, with the jobs for them, and the counts of
posts that met a word filter, which are day counts now and stand where they stood.

The items expire, a week after the upload and 13 weeks after the day. Audit and archive skip them, and the worker ends
the jobs without a step.
"""

RETIRED_ITEMS = {"Import", "ImportRows", "WordHits"}
RETIRED_JOBS = {"import"}
