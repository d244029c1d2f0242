"""Turns printed and stored performance reports into PerformanceReports; must not know sessions.

Latencies are milliseconds throughout; files in other units are converted here, once. Three
aggregates exist and are never mixed: ratio of the means, mean of the ratios, geometric mean.
"""

from summarizer.measurements.agreement import agree
from summarizer.measurements.files import find_odd_performance_files, find_performance_files
from summarizer.measurements.ratios import geomean_of_ratios, mean_of_ratios, ratio_of_means
from summarizer.measurements.reports import parse_performance
from summarizer.measurements.stored import performance_source, read_performance_json
from summarizer.measurements.tables import read_performance_csv

__all__ = [
    "agree",
    "find_odd_performance_files",
    "find_performance_files",
    "geomean_of_ratios",
    "mean_of_ratios",
    "parse_performance",
    "performance_source",
    "ratio_of_means",
    "read_performance_csv",
    "read_performance_json",
]
