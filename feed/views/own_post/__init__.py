"""What authors can still do with a post that is published, each a dialog, or a page without scripts."""
