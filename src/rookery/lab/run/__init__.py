"""How work is carried out: jobs in pieces, on threads or a cluster, with a journal."""
