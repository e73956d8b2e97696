"""What is exported of each item, kind by kind: its fields, and how a raw item becomes a record."""
