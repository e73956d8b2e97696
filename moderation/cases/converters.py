"""The part of a case's address that names its kind."""

from django.urls import register_converter

from moderation.models import CaseKind


class CaseKindConverter:
    regex = "|".join(CaseKind)

    def to_python(self, value: str) -> CaseKind:
        return CaseKind(value)

    def to_url(self, value: str) -> str:
        return value


register_converter(CaseKindConverter, "case_kind")
