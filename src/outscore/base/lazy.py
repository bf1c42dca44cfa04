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
            for name, made_by in _MADE_BY.items():
                if options.get(made_by, True) and vars(cls).get(name) is None:
                    setattr(cls, name, vars(_Fields)[name])
            added = {**options, "eq": False, "repr": False}
            for name in _ADDED:
                if name not in vars(cls):
                    setattr(cls, name, _StandIn(cls, name, added))
            return cls

        return decorate if cls is None else decorate(cls)


_MADE_BY = {"__eq__": "eq", "__hash__": "eq", "__repr__": "repr", "__setattr__": "frozen", "__delattr__": "frozen"}


class _Fields:
    """The methods that read the fields of any object."""

    def __eq__(self, other: object) -> bool:
        return _compared(self) == _compared(other) if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        return hash(_compared(self))

    def __setattr__(self, name: str, value: object) -> None:
        _refuse(type(self), "assign to", name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        _refuse(type(self), "delete", name)
        object.__delattr__(self, name)

    @recursive_repr("...")
    def __repr__(self: Any) -> str:
        shown = (field.name for field in dataclasses.fields(self) if field.repr)
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


def _refuse(cls: Any, what: str, name: str) -> None:
    """Raises FrozenInstanceError for any attribute of a frozen class, and for the fields of what derives from one."""
    if "__dataclass_fields__" in vars(cls) or name in cls.__dataclass_fields__:
        raise dataclasses.FrozenInstanceError(f"cannot {what} field {name!r}")


def _compared(one: Any) -> tuple[Any, ...]:
    return tuple([getattr(one, name) for name in _names_compared(one.__class__)])


@functools.cache
def _names_compared(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls) if field.compare)


_ADDED = ("__dataclass_fields__", "__dataclass_params__", "__match_args__", "__init__")
"""The attributes that ``dataclasses`` adds to a frozen class beside these methods; the last is what objects need."""
_OF_FIELDS = ("__annotations__", "__doc__", "__module__", "__orig_bases__", "__post_init__", "__qualname__")
"""Attributes of a class that it reads beside the fields."""

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
        """Puts what ``dataclasses`` makes of a twin in the place of each stand-in: no other thread finds a gap."""
        cls = self.cls
        fields = vars(cls).get("__annotations__", {})
        read = {name: vars(cls)[name] for name in (*_OF_FIELDS, *fields) if name in vars(cls)}
        twin: Any = dataclasses.dataclass(**self.options)(
            type(cls)(cls.__name__, cls.__bases__, {"__doc__": "", **read})
        )
        for name in fields:
            if name in vars(twin):
                setattr(cls, name, vars(twin)[name])
            elif name in read:
                delattr(cls, name)  # a ``field(...)`` without a value for all
        for name in _ADDED:
            if isinstance(vars(cls).get(name), _StandIn):
                setattr(cls, name, vars(twin)[name])


def is_declared(cls: type) -> bool:
    """Whether a class is a dataclass; asking so does not complete it."""
    return any("__dataclass_fields__" in vars(base) for base in cls.__mro__)
