"""``python -m outscore``."""

from outscore.cli.main import main

main()
