"""Commands for what somebody practises with: lessons and puzzles."""
