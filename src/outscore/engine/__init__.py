"""The resampling engine: arrays in, arrays out. numpy only; a metric arrives as a function of sums."""
