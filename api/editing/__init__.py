"""What authors do with a post that is published: editing it. And what it said before."""
