"""Keeping the site civil: cases, the audit log, how staff set the site up, and the pages where they work."""
