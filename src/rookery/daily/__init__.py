"""The daily deal: which deals a day has, and how one is played alone among bots."""
