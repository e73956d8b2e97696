"""Posts for someone: what people one and two steps away like."""
