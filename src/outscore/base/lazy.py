"""Frozen dataclasses whose methods are made when one of them is first asked for.

``dataclasses`` writes and compiles six methods of a class where its module is imported. A comparison imports two
hundred classes and makes objects of fifty: the methods of the others cost a fifth of its time. Here each attribute that
``dataclasses`` would add has a stand-in, and whoever asks for one has the class completed first: who makes an object,
derives a class or asks for the fields.
"""

from __future__ import annotations

import dataclasses
from threading import RLock
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "is_declared"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, **options: bool) -> Any:
        """``dataclasses.dataclass``, put off where the class is frozen and its attributes are not ``field(...)``."""

        def decorate(cls: type) -> type:
            ready = not options.get("frozen") or options.keys() - {"frozen", "kw_only", "repr"}
            if ready or any(isinstance(value, dataclasses.Field) for value in vars(cls).values()):
                return dataclasses.dataclass(**options)(cls)
            for name in _ADDED[: len(_ADDED) - (not options.get("repr", True))]:
                if vars(cls).get(name) is None:
                    setattr(cls, name, _StandIn(cls, name, options))
            return cls

        return decorate if cls is None else decorate(cls)


_ADDED = (
    "__dataclass_fields__", "__dataclass_params__", "__match_args__", "__init__", "__setattr__", "__delattr__",
    "__eq__", "__hash__", "__repr__",
)  # fmt: skip
"""The attributes that ``dataclasses`` adds to a frozen class; the last may be declined."""

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
