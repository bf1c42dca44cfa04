"""What the manual shows of each kind that can be added, installed as a package, passes our contract tests."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import outscore
from tests.docs import manual

ROOT = manual.ROOT
SHOWN = {
    "metric": ("per", ROOT / "docs" / "metrics.md", "test_metrics_contract.py"),
    "test": ("wins", ROOT / "CONTRIBUTING.md", "test_tests_contract.py"),
    "study": ("halves", ROOT / "docs" / "studies.md", "test_studies_contract.py"),
    "reader": ("verdicts", ROOT / "CONTRIBUTING.md", "test_readers_contract.py"),
    "output format": ("lines", ROOT / "CONTRIBUTING.md", "test_formats_contract.py"),
    "verb": ("lead", ROOT / "CONTRIBUTING.md", "test_verbs.py test_stored_options.py"),
}
"""Name, page and contracts of the example of each kind."""

FILES_OF_VERDICTS = '''
"""Random files of the reader that the page shows, as the page says that a contributor must give them."""

from hypothesis import strategies as st

from tests.contract.files import FILES, File, Held

words = st.lists(st.sampled_from(["pass", "fail"]), min_size=1, max_size=7)
FILES["verdicts"] = words.map(
    lambda found: File(
        name="sys.txt",
        lines=tuple(found),
        runs=(Held(system="sys", run="1", columns={"score": tuple(float(word == "pass") for word in found)}),),
    )
)
'''


def groups() -> dict[str, str]:
    """The entry points of each kind, by the table of CONTRIBUTING."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| ([a-z ]+?) \| .* \| `(outscore\.[a-z]+)` \|", page, flags=re.MULTILINE))


def registered(node: ast.stmt, kind: str) -> set[str]:
    """The names under which a class is entered by its decorators; a verb by its entry point alone."""
    if not isinstance(node, ast.ClassDef):
        return set()
    if kind == "verb":
        return {SHOWN[kind][0]} if any("Options" in ast.unparse(base) for base in node.bases) else set()
    calls = [one for one in node.decorator_list if isinstance(one, ast.Call)]
    return {str(one.args[0].value) for one in calls if one.args and isinstance(one.args[0], ast.Constant)}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as pip would fill it: for each page its imports and classes as a module, and all entry points."""
    folder = tmp_path_factory.mktemp("site")
    points = []
    for number, page in enumerate(dict.fromkeys(page for _, page, _ in SHOWN.values())):
        blocks = [block for block in manual.blocks_of(page) if block.language == "python"]
        files = [block for block in blocks if "file" in block.options]  # whole modules, where the page has them
        kept = [
            node
            for block in files or blocks
            for node in ast.parse("\n".join(block.lines)).body
            if files or isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef)
        ]
        (folder / f"shown{number}.py").write_text("\n".join(map(ast.unparse, kept)) + "\n", encoding="utf-8")
        for kind, (name, shown_on, _) in SHOWN.items():
            classes = [node.name for node in kept if isinstance(node, ast.ClassDef) and name in registered(node, kind)]
            if shown_on == page:
                (cls,) = classes
                points.append(f"[{groups()[kind]}]\n{name} = shown{number}:{cls}\n")
                points += [f"[outscore.results]\n{name} = shown{number}:Lead\n"] if kind == "verb" else []
    info = folder / "shown-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shown\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("\n".join(points), encoding="utf-8")
    (folder / "files_of_verdicts.py").write_text(FILES_OF_VERDICTS, encoding="utf-8")
    return folder


def test_every_kind_of_the_page_has_an_example() -> None:
    assert set(groups()) == set(SHOWN)


@pytest.fixture(scope="module")
def said(site: Path) -> str:
    """Line by line what became of the contract tests of all examples, in one process."""
    source = str(Path(outscore.__file__).parents[1])
    path = os.pathsep.join(filter(None, (str(site), source, str(ROOT), os.environ.get("PYTHONPATH"))))
    names = " or ".join(f"[{name}] or [{name}- or -{name}] or -{name}- or [{name}:" for name, _, _ in SHOWN.values())
    plain = [part for plugin in ("no:cacheprovider", "no:xdist", "files_of_verdicts") for part in ("-p", plugin)]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-v",
            *plain,
            "-k",
            names,
            *(f"tests/contract/{file}" for *_, files in SHOWN.values() for file in files.split()),
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", SHOWN)
@pytest.mark.slow
def test_the_example_passes_the_contract_of_its_kind_as_it_stands(kind: str, said: str) -> None:
    name, _, contract = SHOWN[kind]
    passed = {
        file: re.findall(rf"^tests/contract/{file}::\S*\[(?:[^\]\n]*-)?{name}[-\]:].* PASSED", said, flags=re.MULTILINE)
        for file in contract.split()
    }
    assert all(passed.values()) and sum(map(len, passed.values())) >= 5, said


@pytest.mark.slow
def test_the_page_of_methods_is_of_ours_alone_and_a_list_waits_for_no_library_of_the_example(site: Path) -> None:
    path = os.pathsep.join([str(site), str(Path(outscore.__file__).parents[1]), str(ROOT)])
    code = """
import sys
from outscore.significance import tests
assert "wins" in tests.names() and "scipy" not in sys.modules
from tests.docs import methods
assert methods.page() == methods.PAGE.read_text(encoding="utf-8")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_example_of_pyproject_names_all_kinds() -> None:
    blocks = [block for block in manual.blocks_of(ROOT / "CONTRIBUTING.md") if block.language == "toml"]
    points = tomllib.loads("\n".join(blocks[0].lines))["project"]["entry-points"]
    shown = {groups()[kind]: name for kind, (name, *_) in SHOWN.items()} | {"outscore.results": "lead"}
    assert {group: name for group, named in points.items() for name in named} == shown


@pytest.mark.slow
def test_the_test_says_what_it_leaves_out(site: Path) -> None:
    code = """
import numpy as np, outscore
draw = np.random.default_rng(1)
data = {name: draw.integers(0, 5, 60).astype(float) for name in ("base", "new")}
items = {"cluster": [str(i // 6) for i in range(60)]}
found = outscore.compare(data, test="wins", items=items, cluster="cluster")
codes = found.pairs[0].notes
assert {"not_a_test_of_the_mean", "test_ignores_clusters"} <= set(codes), codes
assert not {"skewed", "few_differences"} & set(codes), codes
"""
    path = os.pathsep.join([str(site), str(Path(outscore.__file__).parents[1])])
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True,
                          encoding="utf-8", check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_verb_is_a_command_whose_result_is_saved_and_drawn_in_every_format(site: Path, tmp_path: Path) -> None:
    source = str(Path(outscore.__file__).parents[1])
    path = os.pathsep.join(filter(None, (str(site), source, os.environ.get("PYTHONPATH"))))
    examples = ROOT / "examples"

    def typed(*arguments: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "outscore", *arguments],
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done.stderr if code else done.stdout

    assert "lead        How far is the best system ahead of the last? (of shown 1.0)" in typed("--help")
    assert "did you mean 'lead'?" in typed("laed", code=2)
    saved = str(tmp_path / "lead.json")
    answer = typed("lead", str(examples / "base.seg"), str(examples / "new.seg"))
    typed("lead", str(examples / "base.seg"), str(examples / "new.seg"), "-o", saved)
    assert typed("show", saved) == answer
    assert re.search(r'"leads": {\s*"mean": 0\.0133', typed("show", saved, "-f", "json"))
    both = typed("lead", "-r", *(str(examples / f"{name}.txt") for name in ("ref", "baseline.run1", "larger.run1")),
                 "-m", "bleu,ter")  # fmt: skip
    assert re.search(r"^larger.run1 is [\d.]+ BLEU ahead of baseline.run1.$", both, flags=re.MULTILINE)
    assert re.search(r"^larger.run1 is [\d.]+ TER ahead of baseline.run1.$", both, flags=re.MULTILINE)
    for format_ in ("markdown", "latex", "csv", "html", "sentence"):
        assert "new" in typed("show", saved, "-f", format_), format_
