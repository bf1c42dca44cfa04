"""Random streams by seed, purpose and block."""

from __future__ import annotations

from outscore.base.rng import stream


def test_seed_zero_is_a_seed_like_any_other() -> None:
    zero, again, one = (stream(seed, "bootstrap").random(8).tolist() for seed in (0, 0, 1))
    assert zero == again != one


def test_streams_of_other_purposes_and_blocks_are_other_streams() -> None:
    found = {tuple(stream(5, purpose, block).random(4)) for purpose in ("bootstrap", "multeval") for block in (0, 1, 2)}
    assert len(found) == 6
