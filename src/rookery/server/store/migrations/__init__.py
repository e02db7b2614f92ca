"""The steps from one version of the database to the next, and back; see `server.store.migrate`."""
