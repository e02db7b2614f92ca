"""The Menagerie study: four characters, as published and by the rules."""
