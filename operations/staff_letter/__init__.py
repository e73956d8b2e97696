"""The weekly letter to members of staff who asked for it: what waits for a decision, and what of the site does not work
as it should."""
