"""The yearly figures of moderation, as the European Digital Services Act asks for them, on a page for everyone."""
