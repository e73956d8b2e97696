"""What someone does with a conversation for themselves alone: mute it for a time, clear it, keep a draft in it."""
