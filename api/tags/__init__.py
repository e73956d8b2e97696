"""Tags: what one is, following it, the followed ones, and what many people talk about and like now."""
