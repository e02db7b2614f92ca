"""What a browser needs to play without a network, and the wheel that brings it to a server.

``python -m scripts.offline`` builds it where it is missing or stale; docs/design/offline.md.
"""
