"""What made the kept files, with the program of their time; see ../README.md.

It shows how they came to be, and has not to run with a later program.
"""
