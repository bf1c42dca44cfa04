"""The package: what is in the wheel, what importing costs, and what must not be in the repository."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import outscore

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HEAVY = {"scipy", "sacrebleu", "rapidfuzz", "joblib", "click", "rich", "narwhals"}
HEAVY |= {"pandas", "polars", "pyarrow", "sklearn", "statsmodels"}


def _python(code: str, *, path: str | None = None, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    source = path or str(Path(outscore.__file__).parents[1])
    env = os.environ | {"PYTHONPATH": source}
    return subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=cwd, capture_output=True, encoding="utf-8", check=False
    )


def _loaded(code: str) -> set[str]:
    """Top-level modules that are loaded after ``code``."""
    done = _python(f"import sys\n{code}\nprint('modules:', *sorted({{m.partition('.')[0] for m in sys.modules}}))")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("modules:")[2].split())


def _command(*arguments: str) -> str:
    return (
        "from outscore.cli.main import main\n"
        f"try: main({list(arguments)!r})\nexcept SystemExit as end: assert end.code in (0, None), end.code"
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is built from the sdist that is built from the checkout: what users get."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)], cwd=ROOT, check=True)
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = (entry for entry in folder.iterdir() if entry.is_dir())
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=unpacked, check=True
    )
    return next(folder.glob("*.whl"))


@pytest.mark.slow
def test_wheel_holds_the_package_and_the_examples_and_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = {
        str(file.relative_to(ROOT / "src"))
        for file in (ROOT / "src" / "outscore").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert sources <= names, sources - names
    assert "outscore/py.typed" in names
    here = ROOT / "examples"
    examples = {f"outscore/examples/{file.relative_to(here)}" for file in here.rglob("*") if file.is_file()}
    examples = {name for name in examples if "__pycache__" not in name}
    assert examples <= names
    others = {n for n in names - sources - examples if ".dist-info/" not in n}
    assert not others, f"what is this in the wheel? {sorted(others)}"
    assert any(name.endswith("licenses/LICENSE") for name in names)
    held = {info.filename: info.compress_size for info in zipfile.ZipFile(wheel).infolist()}
    data = {name: size for name, size in held.items() if not name.endswith((".py", "/RECORD"))}
    assert sum(data.values()) < 105_000, "examples, works cited and the page's styles: no more data than before"
    assert wheel.stat().st_size < 1_650_000


@pytest.mark.slow
def test_wheel_says_who_it_is(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (metadata,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
    text = archive.read(metadata).decode()
    assert f"Version: {outscore.__version__}\n" in text
    assert "License-Expression: Apache-2.0\n" in text
    assert "Requires-Python: >=3.11\n" in text
    (points,) = (n for n in archive.namelist() if n.endswith(".dist-info/entry_points.txt"))
    assert "outscore = outscore.__main__:run" in archive.read(points).decode()


@pytest.mark.slow
def test_demo_works_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    code = f"import outscore; print(outscore.__file__)\n{_command('demo', 'example-data')}"
    done = _python(code, path=str(site), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(site)), "the checkout was imported instead of the wheel"
    assert "larger" in done.stdout
    assert (tmp_path / "example-data" / "scores.csv").read_bytes() == (ROOT / "examples" / "scores.csv").read_bytes()


def test_importing_outscore_loads_nothing_heavy() -> None:
    assert not _loaded("import outscore") & (HEAVY | {"numpy"})


def test_the_verbs_and_types_load_no_command_line_and_no_frames() -> None:
    assert not _loaded("import outscore\noutscore.compare, outscore.Comparison") & {
        "click",
        "rich",
        "narwhals",
        "pandas",
        "polars",
        "statsmodels",
        "sacrebleu",
    }


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["compare", "--help"], ["show", "--help"]], ids=" ".join
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    loaded = _loaded(_command(*arguments)) & (HEAVY | {"numpy"}) - {"click"}
    if arguments[0] in ("compare", "show"):
        loaded -= {"numpy"}
    assert not loaded


def test_the_list_of_commands_needs_no_class_of_records_and_no_paths() -> None:
    assert not _loaded(_command("--help")) & {"dataclasses", "pathlib", "importlib.metadata"}


def test_comparing_scores_of_lines_loads_no_text_metrics_and_no_frames() -> None:
    base, new = (str(ROOT / "examples" / name) for name in ("base.seg", "new.seg"))
    loaded = _loaded(_command("compare", base, new, "-f", "csv"))
    assert not loaded & {"scipy", "sacrebleu", "narwhals", "pandas", "polars", "statsmodels"}


@pytest.mark.parametrize("verb", ["compare", pytest.param("rank", marks=pytest.mark.slow)])
def test_comparing_right_and_wrong_answers_loads_numpy_and_little_else(tmp_path: Path, verb: str) -> None:
    systems = {"base": 3, "new": 5, "third": 4} if verb == "rank" else {"base": 3, "new": 5}
    for name, wrong in systems.items():
        (tmp_path / name).write_text("".join(f"{int(i % wrong > 0)}\n" for i in range(200)), encoding="utf-8")
    loaded = _loaded(_command(verb, *(str(tmp_path / name) for name in systems)))
    assert not loaded & {*HEAVY - {"click"}, "pandas", "email", "zipfile"}
    assert verb == "rank" or "concurrent" not in loaded


@pytest.mark.parametrize("metric", ["bleu", "chrf", pytest.param("length_ratio", marks=pytest.mark.slow)])
def test_comparing_lines_of_text_loads_only_what_it_uses(metric: str) -> None:
    ref, base, new = (str(ROOT / "examples" / name) for name in ("ref.txt", "baseline.run1.txt", "larger.run1.txt"))
    command = _command("compare", "-r", ref, base, new, "-m", metric, "-n", "1000", "-j", "1", "-q")
    done = _python(f"import sys\n{command}\nprint('modules:', *sys.modules)")
    assert done.returncode == 0, done.stderr
    ours = set(done.stdout.rpartition("modules:")[2].split())
    loaded = {module.partition(".")[0] for module in ours}
    assert not loaded & {"scipy", "joblib", "rich", "narwhals", "pandas", "sacrebleu"}
    assert not loaded & {"shutil", "tempfile", "gzip", "json", "csv"}
    assert {m for m in ours if m.startswith("outscore.data.readers.")} == {"outscore.data.readers.lines"}
    assert not ours & {"outscore.data.frames", "outscore.report.formats.methods"}
    assert not ours & {"outscore.results.curves", "outscore.results.confusion"}


def test_the_command_has_one_thread_for_linear_algebra() -> None:
    """numpy reads the variable when it is imported, once."""
    code = f"""
import os, sys
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy": print("threads:", os.environ.get("OPENBLAS_NUM_THREADS"))
sys.meta_path.insert(0, Watch())
{_command("compare", *(str(ROOT / "examples" / name) for name in ("base.seg", "new.seg")), "-q")}
"""
    source = str(Path(outscore.__file__).parents[1])
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=env | {"PYTHONPATH": source},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert "threads: 1\n" in done.stdout


def test_everything_public_is_there() -> None:
    for name in outscore.__all__:
        assert getattr(outscore, name) is not None
    with pytest.raises(AttributeError):
        _ = outscore.no_such_name  # type: ignore[attr-defined]


def test_version_has_one_source() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{outscore.__version__}]" in text or "## [Unreleased]" in text
    try:
        installed = importlib.metadata.version("outscore")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("outscore is not installed here")
    assert installed == outscore.__version__


def test_constraints_cover_every_dependency_and_hold_no_addresses() -> None:
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert not re.search(r"://|@|--", text)
    pinned = {re.split(r"[=\s]", line)[0].lower() for line in text.splitlines()}
    wanted = PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"]
    wanted += [r for extra in PROJECT["project"]["optional-dependencies"].values() for r in extra]
    names = {re.split(r"[\[<>=~!; ]", requirement)[0].lower() for requirement in wanted} - {"outscore"}
    names = {name.replace(".", "-") for name in names}
    assert names <= pinned, names - pinned


def test_readme_has_two_commands_that_install_and_ci_runs_them_from_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first, second = re.findall(r"^```sh\n(.*?)^```$", readme, flags=re.MULTILINE | re.DOTALL)
    assert ".venv/bin/outscore compare" in first and "-c constraints.txt" in first
    assert ".venv/bin/python -m pytest" in second and "-c constraints.txt" in second
    if not (ROOT / ".ci" / "run").exists() or shutil.which("bash") is None:
        pytest.skip("no .ci/run here")
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    (function,) = re.findall(r"^readme_command\(\) \{.*?^\}$", script, flags=re.MULTILINE | re.DOTALL)
    for n, command in ((1, first), (2, second)):
        done = subprocess.run(
            ["bash", "-c", f"{function}\nreadme_command {n}"],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        assert done.stdout == command


def test_repository_names_no_machine() -> None:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    # each begins with a letter of its own, so that a text is looked through fast
    places = (
        r"/(?<![\w.~*-]/)(?:work|root|home|Users)/\w",
        r"/tmp/v\b",
        "index-url",
        r"index\.html\?",
        r"localhost:\d",
    )
    absent = (r"SPEC(?<!\wSPEC) ?(?:§|\d)", r"CLAIMS(?<!\wCLAIMS) ?(?:§|\d)")  # texts that readers do not have
    never = [re.compile(pattern) for pattern in (*places, r"localhost:\d", *absent)]
    shared = re.compile(r"\.\./shared")
    wrong = []
    for name in filter(None, listed.split("\0")):
        file = ROOT / name
        if not file.is_file() or name == str(Path(__file__).relative_to(ROOT)):
            continue
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        wrong += [f"{name}: {found[0]}" for pattern in never for found in pattern.finditer(text)]
        if not name.startswith((".ci/", "benchmarks/")) and name != "tests/conftest.py":
            wrong += [f"{name}: {found[0]}" for found in shared.finditer(text)]
    assert not wrong, wrong
