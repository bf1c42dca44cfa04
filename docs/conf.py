"""The site of the manual: ``sphinx-build -W -b html docs OUT``.

The pages are plain Markdown that any viewer shows. What the registries know is written into ``reference/`` when the
site is built (``manual_site``), so that nothing is kept twice.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from outscore import __version__  # noqa: E402  it is found on the path of the line above

project = "outscore"
author = "the outscore contributors"
copyright = "the outscore contributors, Apache-2.0"
version = release = __version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "manual_site"]
root_doc = "index"
smartquotes = False  # it makes one dash of the two that begin an option
exclude_patterns = ["manual_site", "_build", "**.ipynb_checkpoints"]

# the notebooks are kept with what they printed, and a test executes them again
nb_execution_mode = "off"
myst_heading_anchors = 4
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_custom_sections = [("Class attributes", "params_style")]
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 100

html_theme = "furo"
html_title = f"outscore {__version__}"
html_static_path = ["manual_site/static"]
html_css_files = ["pictures.css"]  # pictures on a dark page
html_copy_source = False
html_show_sphinx = False
