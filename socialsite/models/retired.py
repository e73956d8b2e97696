"""Items that older sites wrote and this one no longer reads: uploaded lists of relationships, and the jobs for them.

The items expire a week after the upload. Audit and archive skip them, and the worker ends the jobs without a step.
"""

RETIRED_ITEMS = {"Import", "ImportRows"}
RETIRED_JOBS = {"import"}
