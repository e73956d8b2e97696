"""What is asked about tags, and what is answered."""
