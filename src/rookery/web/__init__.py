"""The client in the browser, and the folder of files in which it needs no server."""
