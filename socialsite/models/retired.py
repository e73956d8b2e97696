"""What older sites wrote and this one no longer reads: lists of relations that people uploaded, and the jobs for them.

The items expire a week after the upload. Audit and archive pass over them; the worker ends the jobs without a step.
"""

RETIRED_ITEMS = {"Import", "ImportRows"}
RETIRED_JOBS = {"import"}
