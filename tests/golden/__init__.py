"""Hands worked out on paper: each says what the rules ask for, card by card."""
