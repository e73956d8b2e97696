"""The pages of people's photos, and the photos' files."""
