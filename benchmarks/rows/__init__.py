"""The rows of the table, in its order."""

from rows import history, limits, multeval, order, pair, power, ratio, right_wrong, systems
from rows.row import Peer, Recorded, Row

ROWS: tuple[Row, ...] = (
    *pair.ROWS,
    *systems.ROWS,
    *right_wrong.ROWS,
    *ratio.ROWS,
    *power.ROWS,
    *order.ROWS,
    *multeval.ROWS,
    *limits.ROWS,
    *history.ROWS,
)

__all__ = ["ROWS", "Peer", "Recorded", "Row"]
