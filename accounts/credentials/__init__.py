"""What proves who someone is: a password, a code of two-step verification, a passkey. How each is made and checked."""
