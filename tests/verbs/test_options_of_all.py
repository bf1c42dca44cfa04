"""A field of ``Options`` is an option of every verb, as the page on the house says."""

from __future__ import annotations

import subprocess
import sys

_TRY = """
import importlib.util, sys
spec = importlib.util.find_spec("outscore.verbs.declared")
source = spec.loader.get_source(spec.name)
before = '    group: ClassVar[str] = "Question"'
assert source.count(before) == 1
field = '    thorough: typing.Annotated[bool, Option("Looks at all of it.")] = False'
module = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = module
exec(compile(source.replace(before, field + chr(10) * 2 + before), spec.origin, "exec"), module.__dict__)

import inspect
import outscore
from outscore.cli.main import main
from outscore.verbs import VERBS

for verb in VERBS:
    assert "thorough" in [one.name for one in module.declared(module.find_verb(verb))], verb
assert "thorough" in inspect.signature(outscore.compare).parameters
found = outscore.compare({"old": [0, 1, 0, 1, 1, 0], "new": [1, 1, 0, 1, 1, 1]}, thorough=True)
assert found.options["thorough"] is True
main(["power", "--help-all"])
"""


def test_a_field_of_the_base_is_an_option_of_all_verbs() -> None:
    done = subprocess.run([sys.executable, "-c", _TRY], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert "--thorough" in done.stdout
