"""What a member of staff keeps for their own work: saved lists, a note for the next shift, and handing over
what lies on their desk."""
