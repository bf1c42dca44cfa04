"""Counting of texts, labels, trees and rankings that several metrics share; nothing here is a metric."""
