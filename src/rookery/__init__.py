"""Rookery: the Rook you know, played, recorded, scored and measured."""
