"""Pages of moderation."""
