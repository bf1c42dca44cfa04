"""The help text is written by hand so that it costs no imports: here it is held against the registries."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from outscore.cli.compare import command
from outscore.data.readers import readers
from outscore.metrics import metrics
from outscore.multiplicity import adjust
from outscore.results.comparison import formats
from outscore.significance import tests as registered_tests


@pytest.mark.parametrize(
    "names",
    [metrics.names(), registered_tests.names(), adjust.names(), readers.names(), formats.names()],
    ids=["metrics", "tests", "corrections", "readers", "formats"],
)
def test_the_help_of_compare_names_everything_that_is_registered(names: list[str]) -> None:
    text = CliRunner().invoke(command, ["--help"], terminal_width=200).output
    listed = set(re.findall(r"[a-z][a-z0-9_-]*", re.sub(r"-\s*\n\s*", "-", text)))
    assert set(names) <= listed
