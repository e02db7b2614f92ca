"""Figures, health and logs for whoever runs the server."""
