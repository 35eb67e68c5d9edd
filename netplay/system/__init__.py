"""Everything in which Linux, macOS and Windows differ, the three side by side.

Whoever asks is told what a system does by its name, `sys.platform` unless a test says
another; what only one of them has, such as `fcntl`, is handed in.  So what each of the
three does is tried on all of them.
"""
