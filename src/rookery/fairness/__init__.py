"""Fair deals: dealing by commitment and reveal, and the check that needs no server."""
