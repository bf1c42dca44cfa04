"""Arrays of NumPy: a score for each item."""

from __future__ import annotations

import io
from collections import deque
from pathlib import PurePath
from typing import Any, ClassVar

import numpy as np

from outscore.base.errors import InputError, join
from outscore.base.lazy import dataclass
from outscore.data.columns import ColumnTable
from outscore.data.interpret import interpret
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.source import Source, check_zip


@reader("numpy")
@dataclass(frozen=True)
class NumpyArrays(Reader):
    """``.npy``, or ``.npz`` with an array for each system; the items are the positions. Pickles are not opened."""

    description: ClassVar[str] = "arrays of NumPy (.npy, .npz): a score for each item, in the order of the items"
    example: ClassVar[str] = "\x93NUMPY..."
    priority: ClassVar[int] = 7
    roles: ClassVar[tuple[Role, ...]] = ("system",)
    binary: ClassVar[bool] = True

    def sniff(self, head: Sniffed) -> bool:
        return head.start.startswith(b"\x93NUMPY") or (
            head.start.startswith(b"PK\x03\x04") and b".npy" in head.start[:99]
        )

    def read(self, source: Source, context: Context) -> Content:
        if source.data.startswith(b"PK"):
            deque(check_zip(source.data, source.file), maxlen=0)
        try:
            loaded = np.load(io.BytesIO(source.data), allow_pickle=False)
            arrays: dict[str, Any] = {"score": loaded} if isinstance(loaded, np.ndarray) else dict(loaded)
        except Exception as error:  # noqa: BLE001  whatever NumPy stumbles upon in a broken header
            reason = str(error).partition("\n")[0][:100]
            raise InputError(
                f"is no array of NumPy that can be read ({reason})",
                file=source.file,
                remedy="save numbers with numpy.save",
            ) from None
        for name, array in arrays.items():
            if array.ndim != 1 or array.dtype.kind not in "biuf" or not array.size:
                raise InputError(
                    f"{name!r} is an array of {array.dtype} of shape {array.shape}, expected a number for each item",
                    file=source.file,
                    remedy="save an array of one axis for each system, as with numpy.savez(FILE, base=..., new=...)",
                )
        lengths = {len(array) for array in arrays.values()}
        if len(lengths) != 1:
            raise InputError(
                f"holds {join(f'{len(array)} of {name}' for name, array in arrays.items())}",
                file=source.file,
                remedy="give all systems the same items, in the same order",
            )
        (n,) = lengths
        columns: dict[str, list[Any]] = {"item": [str(i + 1) for i in range(n)]}
        names = ["score"] if len(arrays) == 1 else list(arrays)
        columns |= {name: array.tolist() for name, array in zip(names, arrays.values(), strict=True)}
        if len(arrays) == 1:
            columns = {"system": [context.system or PurePath(context.stem).stem] * n, **columns}
        return interpret(
            ColumnTable(columns=columns, n=n, file=source.file, reader=self.name, typed=True, line=lambda row: None),
            context,
        )
