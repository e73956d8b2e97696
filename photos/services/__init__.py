"""What people do with their photos, one file for each."""
