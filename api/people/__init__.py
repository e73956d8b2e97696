"""People: the person themselves, others, whom they follow, and following."""
