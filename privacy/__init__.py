"""What a person takes with them, and what is deleted: export, closing and erasure need every other room."""
