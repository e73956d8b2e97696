"""Posts as templates show them."""
