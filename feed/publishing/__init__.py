"""What authors do with a post: publishing it with its photos, alone or as a story, editing it, choosing another
audience, pinning it, deleting it, or letting it end by itself."""
