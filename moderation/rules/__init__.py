"""How staff set the site up: its rules, templates, settings, word filters, blocks and invitations."""
