"""Drafts and scheduled posts, one file for each behaviour."""
