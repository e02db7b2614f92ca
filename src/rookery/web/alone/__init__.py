"""A folder of files that any static host serves; docs/design/offline.md says how it works."""
