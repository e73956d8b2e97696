"""What the stream worker does for the cost page: it adds samples up by day, counts active people and stored items."""

from costs.stream_handlers import add_sample, count_active, count_stored

__all__ = ["add_sample", "count_active", "count_stored"]
