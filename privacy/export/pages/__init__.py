"""The pages of an export, to be read offline: no script, relative links, one style sheet."""
