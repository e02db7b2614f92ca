"""Running jobs: in chunks, on threads or a cluster, with a journal."""
