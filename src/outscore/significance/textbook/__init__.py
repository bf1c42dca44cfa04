"""Closed-form and classical statistics: functions on arrays and counts. Nothing here is a registered test."""
