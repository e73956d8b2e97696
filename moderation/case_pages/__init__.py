"""The pages on which staff work through cases: the queue, a case, and its dialogs."""
