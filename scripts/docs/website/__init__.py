"""The documentation as a site of files: ``python -m scripts.docs.website DIR`` builds it.

The pages under ``docs/`` and what is made from the code go through Sphinx; docs/design/docs.md says
why it is that one. Beside each page lies its Markdown.
"""
