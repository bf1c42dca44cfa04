"""The grid on which the level, the coverage and the power of every registered test are measured."""
