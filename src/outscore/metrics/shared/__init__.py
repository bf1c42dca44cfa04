"""What several metrics share: how texts, labels, trees and rankings are counted. Nothing here is a metric."""
