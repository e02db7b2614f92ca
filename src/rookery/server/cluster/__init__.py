"""Several servers on one database: who owns which table, and how they tell each other."""
