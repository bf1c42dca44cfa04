"""Closed-form and classical statistics: functions on arrays and counts; nothing here is a registered test."""
