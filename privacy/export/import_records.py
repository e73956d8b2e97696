"""What is exported of files that a person brought from elsewhere: each file, and what became of its lines."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from privacy.export.account_records import Lines
from privacy.export.kinds import MOMENT, NUMBER, TEXT, Field, Kind, Owner, many, one_of, structure
from privacy.importing.lines import read_lines
from privacy.importing.models import Stage, Transfer, TransferReport
from privacy.importing.outcomes import FileKind, Outcome, Remark
from privacy.importing.reads import moment_of
from socialsite.table import RawItem, row

COUNT = structure(became=one_of(*map(str, Outcome)), lines=NUMBER)

IMPORTS = Kind(
    "imports",
    _("What you brought from elsewhere"),
    {
        "id": Field(TEXT, "The id of the file. Its lines name it."),
        "file": Field(one_of(*map(str, FileKind)), "What it holds, as Mastodon names it."),
        "stage": Field(one_of(*map(str, Stage)), "How far it is."),
        "brought_at": Field(MOMENT, "When you sent it, in UTC."),
        "lines": Field(NUMBER, "How many lines it has."),
        "done": Field(NUMBER, "How many of them are done."),
        "outcomes": Field(many(COUNT), "What became of how many lines."),
    },
    ((_("File"), "file"), (_("When"), "brought_at"), (_("Lines"), "lines")),
)
IMPORT_LINES = Kind(
    "import-lines",
    _("What became of it"),
    {
        "import": Field(TEXT, "The id of the file."),
        "line": Field(NUMBER, "The number of the line, or of the entry of an archive."),
        "said": Field(TEXT, "What it said, in short."),
        "became": Field(one_of(*map(str, Outcome)), "What became of it."),
        "remarks": Field(many(one_of(*map(str, Remark))), "What else is said of a post."),
        "post": Field(TEXT, "The id of the post that it is here, empty if it is none."),
    },
    ((_("Line"), "line"), (_("What it said"), "said"), (_("What it became"), "became")),
)


def import_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        transfer = row(Transfer, raw)
        yield (
            IMPORTS.name,
            {
                "id": transfer.transfer_id,
                "file": transfer.file_kind,
                "stage": transfer.stage,
                "brought_at": moment_of(transfer.transfer_id),
                "lines": int(transfer.total),
                "done": int(transfer.done),
                "outcomes": [
                    {"became": outcome, "lines": lines}
                    for outcome, lines in dict(transfer.outcomes or {}).items()
                ],
            },
        )


def import_report_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        report = row(TransferReport, raw)
        for one in read_lines(report.done_lines):
            yield (
                IMPORT_LINES.name,
                {
                    "import": report.transfer_id,
                    "line": one.number,
                    "said": one.said,
                    "became": one.outcome,
                    "remarks": list(one.remarks),
                    "post": one.post_id,
                },
            )
