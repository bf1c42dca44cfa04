"""Where a result goes: stdout or a file, in a format by name or by suffix; and the options that say so."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

import outscore
from outscore.base.errors import Interrupted, inflect, suggestion
from outscore.base.files import write_whole
from outscore.base.lazy import dataclass
from outscore.base.limits import TooMuchError
from outscore.base.notes import READINGS
from outscore.base.registry import Registry
from outscore.base.text import clean
from outscore.cli.streams import print_notes, print_now, progress
from outscore.cli.typed import complete

if TYPE_CHECKING:
    from outscore.results.result import Result

_PLOT = "outscore.plot"
_STEPS = "; -n auto goes on to 1,000,000 resamples while a decision hangs on them"


@dataclass(frozen=True, kw_only=True)
class Output:
    """Where a result goes, and how it is drawn.

    Attributes:
        format_: name of the format; None for that of a file's suffix, or the terminal's. A name that no format has
            is refused at once, before any work is done.
        output: the files; none for stdout.
        verbose: all tables and notes; ``quiet``: the first table alone, no progress and no messages.
        all_rows: every row of a long table; ``around``: a system whose neighbours are shown in it.
        strict: exit code 1 where a note changes the answer.
        width: columns of the text; ``plain``: no pictures made of characters.
        raw_csv: CSV without apostrophes before texts that begin like formulas.
        decimals: of scores; None for the custom of each metric.
        cite: whether BibTeX is added.
        gate: the condition that the result is to fulfil.
        command_line: what was typed, which the result keeps.
    """

    format_: str | None = None
    output: tuple[Path, ...] = ()
    verbose: bool = False
    quiet: bool = False
    all_rows: bool = False
    around: str = ""
    strict: bool = False
    width: int | None = None
    decimals: int | None = None
    plain: bool = False
    raw_csv: bool = False
    cite: bool = False
    gate: str | None = None
    command_line: str = ""

    def __post_init__(self) -> None:
        for name in self.formats.values():
            _formats().make(name)

    @property
    def formats(self) -> dict[Path | None, str]:
        """The format of each file, or of stdout, None, with its options, if the user gave any."""
        from outscore.report.formats import format_for

        places: tuple[Path | None, ...] = self.output or (None,)
        return {
            file: self.format_ or (format_for(file) if file and file not in self.drawn else "terminal")
            for file in places
        }

    @property
    def drawn(self) -> list[Path]:
        """The files that are pictures, and no texts."""
        from outscore.report.formats import PICTURES

        return [file for file in self.output if self.format_ is None and file.suffix.lower() in PICTURES]

    @contextmanager
    def progress(self) -> Iterator[Callable[[str, int, int], None] | None]:
        """Show progress while work is done, and put what an interrupt leaves of it where it belongs."""
        auto = click.get_current_context().params.get("n_resamples") == "auto"
        with self.keep_interrupted(), progress(self.quiet, _STEPS if auto else "") as tell:
            yield tell

    @contextmanager
    def keep_interrupted(self) -> Iterator[None]:
        """Puts the result of what was done where it belongs, where the work is interrupted."""
        try:
            yield
        except Interrupted as stop:
            if stop.result is not None:
                self.write(stop.result)
            raise

    @property
    def pictured(self) -> bool:
        """Whether a picture was asked for."""
        return bool(self.drawn) or click.get_current_context().meta.get(_PLOT) is not None

    def check_figure(self, figure: str | None) -> None:
        """Raises UsageError where one of several pictures is named and no picture was asked for."""
        if figure is not None and not self.pictured:
            raise click.UsageError("--figure says what is drawn: add --plot FILE, or -o FILE.svg")

    def _draw(self, result: Result, figure: str) -> None:
        """Draws the picture, where one was asked for; another call draws no other."""
        picture = click.get_current_context().meta.pop(_PLOT, None)
        if picture is None:
            return
        outscore.plot(result, picture, figure)
        if not self.quiet:
            click.echo(f"wrote {clean(picture)}", err=True)

    def write(self, result: Result, figure: str = "") -> None:
        """Draws a result and puts it where it belongs; its picture too, where one was asked for.

        Args:
            result: the result.
            figure: name of the picture, where there are several.
        """
        if self.command_line:
            asked = dataclasses.replace(result.provenance, command_line=self.command_line)
            result = dataclasses.replace(result, provenance=asked)
        refused = None
        try:
            self._draw(result, figure)
        except TooMuchError as error:
            refused = error  # what was computed is written all the same
        made = {file: self._make(file) for file in self.formats}
        for file, one in made.items():
            self._save(result, one, file, figure)
        self._print_readings(result)
        self._print_missing(result, made)
        names = dict.fromkeys(score.system for score in result.scores)
        if self.around and any(hasattr(one, "around") for one in made.values()) and names and self.around not in names:
            likely = suggestion(self.around, names)
            click.echo(f"outscore: --around: no system is called {self.around!r}{likely}", err=True)
        if self.cite:
            from outscore.report.formats.methods import bibtex

            references = bibtex(result.provenance.citations)
            if references:
                # beside a machine-readable result the references would break it
                print_now(references, err=self.formats.get(None) in ("json", "csv"))
        if refused is not None:
            raise refused
        changing = [note for note in result.notes if note.rank == "answer"]
        if self.strict and changing:
            click.echo(
                f"outscore: {inflect(len(changing), 'note')} of those that change the answer (--strict)", err=True
            )
            sys.exit(1)

    def _save(self, result: Result, made: Any, file: Path | None, figure: str) -> None:
        if file in self.drawn:
            outscore.plot(result, file, figure, column=True)
        elif file is None:
            text = made.render(result, decimals=self.decimals)
            print_now(text, nl=not text.endswith("\n"))
        else:
            write_whole(file, made.render(result, decimals=self.decimals))
        if file and not self.quiet:
            click.echo(f"wrote {clean(file)}", err=True)

    def _print_readings(self, result: Result) -> None:
        """How the files were read, where no format says it: whoever pipes it would see nothing."""
        found = [_formats().find(name.partition(":")[0]) for name in self.formats.values()]
        if not self.quiet and not any(getattr(one, "has_notes", True) for one in found):
            print_notes(note for note in dict.fromkeys(result.notes) if note.code in READINGS)

    def _print_missing(self, result: Result, made: Mapping[Path | None, Any]) -> None:
        """Says which of the lists that were asked for have a place in no output, and which files have one."""
        texts = [one for file, one in made.items() if file not in self.drawn]
        if self.quiet or any(getattr(one, "has_tables", True) for one in texts):
            return
        from outscore.report.screen import lists_asked

        if asked := ", ".join(lists_asked(result)):
            whole = [cls for _, cls in _formats() if getattr(cls(), "has_tables", True)]
            files = ", ".join(sorted(suffix for cls in whole for suffix in getattr(cls, "suffixes", ())[:1]))
            files += ", or here -v," if any(hasattr(one, "detail") for one in texts) else ""
            what = ", ".join(clean(file or name) for file, name in self.formats.items())
            click.echo(
                f"note: {what} {'lacks' if len(made) == 1 else 'lack'} what {asked} lists; {files} have it", err=True
            )

    def _make(self, file: Path | None) -> Any:
        """The format with the options that the command line gives it."""
        made = _formats().make(self.formats[file])
        given: dict[str, Any] = {
            "detail": "full" if self.verbose else "table" if self.quiet and file is None else None,
            "all": self.all_rows or None,
            "around": self.around or None,
            "plain": self.plain or None,
            "raw": self.raw_csv or None,
            "columns": self.width,
            "gate": self.gate,
            "color": (file is None and sys.stdout.isatty() and "NO_COLOR" not in os.environ) or None,
        }
        known = {field.name for field in dataclasses.fields(made)}
        return dataclasses.replace(made, **{name: v for name, v in given.items() if v is not None and name in known})


def _formats() -> Registry[Any]:
    from outscore.results.result import formats

    return formats


def store_plot(ctx: click.Context, _: click.Parameter, path: str | None) -> None:
    """Keeps the name of the picture for ``draw``; a wrong suffix is said before any work is done."""
    if path is not None:
        from outscore.report.plots import suffix_of

        suffix_of(path)
    ctx.meta[_PLOT] = path


OUTPUTS = (
    *("format_", "output", "verbose", "quiet", "all_rows", "around", "strict"),
    *("width", "decimals", "plain", "raw_csv", "cite", "plot"),
)
"""Where a result goes, and how it is drawn."""


P = TypeVar("P", bound=click.Parameter)


def also(made: P, *names: str) -> P:
    """The same, with what others call it."""
    made.__dict__["also"] = names
    return made


_ALL = (
    also(
        click.Argument(["files"], nargs=-1, metavar="FILE...", shell_complete=complete),
        *("system", "systems", "sys", "hyp", "hyps", "hypothesis", "hypotheses", "predictions", "input", "i", "s"),
        *("sys1", "sys2"),
    ),
    also(
        click.Option(
            ["-f", "--format", "format_"],
            metavar="NAME",
            default=None,
            shell_complete=complete,
            help="markdown, latex, methods, json, csv, html ...  [default: by the suffix of -o, else terminal]",
        ),
        *("fmt", "json", "csv", "latex", "tex", "markdown", "html", "sentence", "output-format"),
    ),
    also(
        click.Option(
            ["-o", "--output"],
            type=click.Path(path_type=Path),
            multiple=True,
            help="Write to this file; .svg, .pdf, .png: a picture.",
        ),
        *("out", "outfile", "output-file", "save"),
    ),
    click.Option(["-v", "--verbose"], is_flag=True, help="All tables, all notes, and how it was done."),
    click.Option(["-q", "--quiet"], is_flag=True, help="Only the table; nothing on stderr."),
    click.Option(["--all", "all_rows"], is_flag=True, help="Every row of a long table."),
    click.Option(["--around"], metavar="NAME", default="", help="Of a long table also the rows around this system."),
    click.Option(["--strict"], is_flag=True, help="Exit code 1 where a note changes the answer (!)."),
    click.Option(
        ["-w", "--width"],
        type=click.IntRange(min=20),
        default=None,
        help="Columns of the text.  [default: the terminal's, 80 where there is none]",
    ),
    also(
        click.Option(
            ["--decimals"],
            type=click.IntRange(0, 15),
            default=None,
            help="Decimals of scores.  [default: the custom of each metric]",
        ),
        *("precision", "digits", "round"),
    ),
    click.Option(["--plain"], is_flag=True, help="No pictures made of characters."),
    click.Option(["--raw-csv"], is_flag=True, help="CSV with no apostrophe before texts like formulas."),
    click.Option(
        ["--plot"],
        metavar="FILE",
        default=None,
        expose_value=False,
        callback=store_plot,
        help="Also a picture: .svg, .png, .pdf, .json, .html.",
    ),
    click.Option(["--cite"], is_flag=True, help="Add BibTeX for the metrics and methods used."),
)


def options(*names: str) -> list[click.Parameter]:
    """The options of these names, in the order of all."""
    strange = set(names) - {parameter.name for parameter in _ALL}
    if strange:
        raise ValueError(f"no option is shared that is called {', '.join(sorted(strange))}")
    return [parameter for parameter in _ALL if parameter.name in names]
