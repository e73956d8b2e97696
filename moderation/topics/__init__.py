"""What staff decide about the topics on Explore: whether they are shown, and which tags never are."""
