"""Items in a person's own partitions that are no decision about them: securings, and what became of reports."""
