"""Frozen dataclasses whose methods are made when one of them is first asked for.

``dataclasses`` writes and compiles six methods of a class where its module is imported. A comparison imports two
hundred classes and makes objects of a hundred: that cost a third of its time. Here all classes are compared, hashed and
shown by the same methods, and each attribute that ``dataclasses`` adds beside these has a stand-in: whoever asks for
one has the class completed first, who makes an object, derives a class or asks for the fields.
"""

from __future__ import annotations

import dataclasses
import functools
from reprlib import recursive_repr
from threading import RLock
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "is_declared"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, **options: bool) -> Any:
        """``dataclasses.dataclass``, put off where the class is frozen; a ``field(...)`` stays until then."""

        def decorate(cls: type) -> type:
            if not options.get("frozen") or options.keys() - {"frozen", "kw_only", "eq", "repr"}:
                return dataclasses.dataclass(**options)(cls)
            for name, made_by in (("__eq__", "eq"), ("__hash__", "eq"), ("__repr__", "repr")):
                if options.get(made_by, True) and vars(cls).get(name) is None:
                    setattr(cls, name, vars(_Fields)[name])
            added = {**options, "eq": False, "repr": False}
            for name in _ADDED:
                if name not in vars(cls):
                    setattr(cls, name, _StandIn(cls, name, added))
            return cls

        return decorate if cls is None else decorate(cls)


class _Fields:
    """The methods that read the fields of any object."""

    def __eq__(self, other: object) -> bool:
        return _compared(self) == _compared(other) if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        return hash(_compared(self))

    @recursive_repr("...")
    def __repr__(self: Any) -> str:
        shown = (field.name for field in dataclasses.fields(self) if field.repr)
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


def _compared(one: Any) -> tuple[Any, ...]:
    return tuple([getattr(one, name) for name in _names_compared(one.__class__)])


@functools.cache
def _names_compared(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls) if field.compare)


_ADDED = (
    "__dataclass_fields__", "__dataclass_params__", "__match_args__", "__init__", "__setattr__", "__delattr__",
)  # fmt: skip
"""The attributes that ``dataclasses`` adds to a frozen class beside these methods."""

_COMPLETING = RLock()


class _StandIn:
    """An attribute that a class will have, which completes the class when it is asked for."""

    def __init__(self, cls: type, name: str, options: dict[str, bool]) -> None:
        self.cls, self.name, self.options = cls, name, options

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        with _COMPLETING:
            if vars(self.cls)[self.name] is self:
                self._complete()
        made = vars(self.cls)[self.name]
        return made.__get__(instance, owner) if hasattr(made, "__get__") else made

    def _complete(self) -> None:
        for name in _ADDED:
            if isinstance(vars(self.cls).get(name), _StandIn):
                delattr(self.cls, name)
        dataclasses.dataclass(**self.options)(self.cls)


def is_declared(cls: type) -> bool:
    """Whether a class is a dataclass; asking so does not complete it."""
    return any("__dataclass_fields__" in vars(base) for base in cls.__mro__)
