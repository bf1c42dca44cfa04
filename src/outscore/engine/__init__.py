"""The resampling engine, arrays in and arrays out, by numpy only; a metric arrives as a function of sums."""
