"""Items that stand apart from a case: securings, what became of reports, and waves."""
