"""Classes completed late behave as those of ``dataclasses`` do, whoever asks first and for whatever."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from outscore.base.lazy import dataclass, is_declared

SOURCE = Path(__file__).parents[2] / "src" / "outscore"


@dataclass(frozen=True)
class Point:
    """A place."""

    x: int
    y: int = 2


@dataclass(frozen=True, kw_only=True, repr=False)
class Named(Point):
    """A place with a name."""

    name: str = ""

    def __repr__(self) -> str:
        return f"<{self.name}>"


def _is_complete(cls: type) -> bool:
    return isinstance(vars(cls)["__dataclass_fields__"], dict)


def _declare() -> Any:
    @dataclass(frozen=True)
    class Fresh:
        """Made anew for every test."""

        x: int
        y: int = 2

    return Fresh


def _derive(cls: Any, **attributes: object) -> Any:
    return type("Plain", (cls,), attributes)


@pytest.mark.parametrize(
    "ask",
    [
        lambda cls: cls(1),
        lambda cls: [field.name for field in dataclasses.fields(cls)] == ["x", "y"],
        lambda cls: str(inspect.signature(cls)).startswith("(x: 'int', y: 'int' = 2)"),
        lambda cls: cls.__match_args__ == ("x", "y"),
        lambda cls: cls.__dataclass_params__.frozen,
        lambda cls: dataclasses.dataclass(frozen=True)(_derive(cls))(3, 4),
        lambda cls: _derive(cls)(3, 4).x == 3,
        lambda cls: repr(object.__new__(_derive(cls, x=1, y=2))).endswith("Plain(x=1, y=2)"),
        lambda cls: isinstance(hash(object.__new__(_derive(cls, x=1, y=2))), int),
    ],
)
def test_whatever_is_asked_for_first_completes_the_class(ask: Callable[[Any], object]) -> None:
    cls = _declare()
    assert is_declared(cls)
    assert not _is_complete(cls)
    assert ask(cls)
    assert _is_complete(cls)
    assert cls(1) == cls(1, 2) != cls(2)
    assert len({cls(1), cls(1, 2)}) == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        cls(1).x = 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        del cls(1).x
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        cls()


def test_derived_classes_keep_what_they_write_themselves() -> None:
    named = Named(1, name="here")
    assert (named.x, named.y, repr(named)) == (1, 2, "<here>")
    assert dataclasses.asdict(dataclasses.replace(named, x=5)) == {"x": 5, "y": 2, "name": "here"}
    assert copy.deepcopy(named) == named != Point(1)


def test_an_unpickled_object_is_whole_in_a_process_that_never_made_one() -> None:
    code = "import pickle, sys; one = pickle.loads(bytes.fromhex(sys.argv[1])); print(one == one, one)"
    done = subprocess.run(
        [sys.executable, "-c", code, pickle.dumps(Point(3)).hex()],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stdout == "True Point(x=3, y=2)\n"


@pytest.fixture
def switching() -> Iterator[None]:
    """Threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("switching")
def test_threads_that_ask_at_once_find_one_whole_class() -> None:
    for _ in range(50):
        cls, made = _declare(), list[Any]()
        start = threading.Barrier(4)

        def make(cls: Any = cls, made: list[Any] = made, start: threading.Barrier = start) -> None:
            start.wait()
            made.append(cls(1))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [cls(1)] * 4


def test_no_class_of_the_package_is_compiled_where_it_is_imported() -> None:
    eager = [
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        if file.name != "lazy.py"
        and any(
            line.startswith("from dataclasses import") and "dataclass" in line.replace(",", " ").split()
            for line in file.read_text(encoding="utf-8").splitlines()
        )
    ]
    assert eager == []
