"""What a person has beside their tables: sessions, ways back, attempts at daily deals, mistakes."""
