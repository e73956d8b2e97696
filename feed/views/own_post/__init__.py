"""What authors can still do with a post that is published, each a dialog, or a page without scripts; and the page that
shows everyone what they changed (`history.py`)."""
