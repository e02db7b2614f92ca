"""Commands that read the record of a match: shown, checked, reviewed, solved."""
