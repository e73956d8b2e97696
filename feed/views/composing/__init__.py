"""The pages of what is written and not published yet."""
