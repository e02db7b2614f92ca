"""An evening of Rook: at tables with real cards, on screens, or both."""
