"""Score sheets of games with real cards: who may write on one, and what it tells."""
