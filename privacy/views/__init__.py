"""The pages of people's own data."""
