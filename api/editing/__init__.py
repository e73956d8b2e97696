"""What authors do with a post that is published: editing it, and pinning it. What it said before."""
