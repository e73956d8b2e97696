"""What a person chooses alone, and nobody else learns of: favourites, subscriptions, hidden reposts, followed tags."""
