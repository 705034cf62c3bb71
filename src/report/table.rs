//! Tables, and the ways to write them.

use crate::base::error::Error;
use crate::base::error::Result;
use crate::base::text;
use crate::base::text::latex;
use comfy_table::CellAlignment;
use comfy_table::ContentArrangement;
use comfy_table::TableStyle;
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::presets::NOTHING;
use std::borrow::Cow;

/// How results are written.
///
/// What strangers wrote is shown by the rules of [`crate::base::text`]. Formats that people look at cut a cell behind
/// [`LONGEST_CELL`](crate::base::text::LONGEST_CELL) characters; JSON and CSV have it whole. JSON has every value as it is; CSV
/// too, save for control characters other than tabs and ends of lines, which are escaped. A cell that begins with `=`, `+`,
/// `-` or `@` is a formula to spreadsheets: CSV leaves it as it is, so import it as text. A number that is not defined, for
/// people `-` or `?`, is an empty cell in CSV.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Layout {
    /// Columns for people.
    #[default]
    Table,
    /// JSON for scripts.
    Json,
    /// Comma-separated values with a header.
    Csv,
    /// A table in Markdown.
    Markdown,
    /// A table in LaTeX (booktabs).
    Latex,
}

/// On which side the content of a column stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The heading for people.
    pub heading: String,
    /// The name for scripts (CSV header).
    pub name: String,
    /// The alignment.
    pub align: Align,
}

impl Column {
    /// A column of texts.
    pub fn text(heading: &str, name: &str) -> Self {
        Self { heading: heading.to_owned(), name: name.to_owned(), align: Align::Left }
    }

    /// A column of numbers.
    pub fn number(heading: &str, name: &str) -> Self {
        Self { align: Align::Right, ..Self::text(heading, name) }
    }
}

/// What stands before what makes numbers mean something else.
pub(crate) const ALERT: &str = "! ";

/// A table with a title.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// What the table shows.
    pub title: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows: one text a column.
    pub rows: Vec<Vec<String>>,
    /// Lines above the table for people, one each: what makes its numbers mean something else.
    pub alerts: Vec<String>,
    /// Lines below the table for people, one each.
    pub notes: Vec<String>,
    /// Lines below the table in every format but CSV: how its numbers were made.
    pub footnotes: Vec<String>,
    /// The cells, by row and column, that are bold in LaTeX.
    pub bold: Vec<(usize, usize)>,
    /// Those that are underlined there.
    pub underlined: Vec<(usize, usize)>,
    /// What stands below it in LaTeX, where it is to be a table that floats.
    pub caption: Option<String>,
}

impl Table {
    /// The table in a format; JSON is made elsewhere. What has no columns is a sentence: its title.
    pub fn render(&self, format: Layout) -> Result<String> {
        match format {
            Layout::Table | Layout::Markdown if self.columns.is_empty() => Ok(format!("{}\n", self.title())),
            Layout::Latex if self.columns.is_empty() => Ok(title(self)),
            Layout::Csv => self.csv(),
            Layout::Markdown => Ok(self.markdown()),
            Layout::Latex => Ok(render(self)),
            Layout::Table | Layout::Json => Ok(self.plain()),
        }
    }

    fn plain(&self) -> String {
        let mut text = String::new();
        if !self.title.is_empty() {
            text.push_str(&self.title());
            text.push_str("\n\n");
        }
        for alert in &self.alerts {
            text.push_str(ALERT);
            text.push_str(&text::message(alert));
            text.push('\n');
        }
        if !self.alerts.is_empty() {
            text.push('\n');
        }
        let mut table = self.filled(NOTHING, text::cell);
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        for line in table.to_string().lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        for note in self.notes.iter().chain(&self.footnotes) {
            text.push('\n');
            text.push_str(&text::message(note));
        }
        if !(self.notes.is_empty() && self.footnotes.is_empty()) {
            text.push('\n');
        }
        text
    }

    fn markdown(&self) -> String {
        let mut title = if self.title.is_empty() { String::new() } else { format!("{}\n\n", self.title()) };
        title.extend(self.alerts.iter().map(|alert| format!("{ALERT}{}\n\n", text::markdown(alert))));
        let rule: Vec<&str> = self
            .columns
            .iter()
            .map(|column| if column.align == Align::Right { "--:" } else { "---" })
            .collect();
        let table = self.filled(ASCII_MARKDOWN, text::markdown).to_string();
        let mut lines: Vec<String> = table.lines().map(str::to_owned).collect();
        if let Some(line) = lines.get_mut(1) {
            *line = format!("|{}|", rule.join("|"));
        }
        let notes = self.footnotes.iter().map(|note| format!("\n{}\n", text::markdown(note)));
        format!("{title}{}\n{}", lines.join("\n"), notes.collect::<String>())
    }

    /// The title on its line.
    pub(crate) fn title(&self) -> Cow<'_, str> {
        text::message(&self.title)
    }

    fn filled(&self, style: TableStyle, cell: fn(&str) -> Cow<'_, str>) -> comfy_table::Table {
        let mut table = comfy_table::Table::new();
        table.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(self.columns.iter().map(|column| text::cell(&column.heading)));
        table.add_rows(self.rows.iter().map(|row| row.iter().map(|text| cell(text)).collect::<Vec<_>>()));
        for (column, kind) in table.column_iter_mut().zip(&self.columns) {
            let right = kind.align == Align::Right;
            column.set_cell_alignment(if right { CellAlignment::Right } else { CellAlignment::Left });
        }
        table
    }

    fn csv(&self) -> Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let failed = |error: csv::Error| Error::system(format!("cannot write CSV: {error}"));
        writer.write_record(self.columns.iter().map(|column| &column.name)).map_err(failed)?;
        for row in &self.rows {
            let cell = |(value, column): (&String, &Column)| match value.as_str() {
                "-" | "?" if column.align == Align::Right => String::new(),
                value => text::csv(value).into_owned(),
            };
            writer.write_record(row.iter().zip(&self.columns).map(cell)).map_err(failed)?;
        }
        let bytes =
            writer.into_inner().map_err(|error| Error::system(format!("cannot write CSV: {error}")))?;
        String::from_utf8(bytes).map_err(|error| Error::system(format!("cannot write CSV: {error}")))
    }
}

/// The table as a `tabular` environment.
pub(crate) fn render(table: &Table) -> String {
    let align: String =
        table.columns.iter().map(|c| if c.align == Align::Right { 'r' } else { 'l' }).collect();
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let mut title = if table.title.is_empty() { String::new() } else { title(table) };
    title.extend(table.alerts.iter().map(|alert| format!("% {ALERT}{}\n", text::message(alert))));
    let mut text = format!("{title}\\begin{{tabular}}{{{align}}}\n\\toprule\n");
    text.push_str(&line(table.columns.iter().map(|column| latex(&column.heading)).collect()));
    text.push_str("\\midrule\n");
    for (row, number) in table.rows.iter().zip(0..) {
        let cell = |(cell, column): (&String, usize)| match latex(cell) {
            cell if table.bold.contains(&(number, column)) => format!("\\textbf{{{cell}}}"),
            cell if table.underlined.contains(&(number, column)) => format!("\\underline{{{cell}}}"),
            cell => cell,
        };
        text.push_str(&line(row.iter().zip(0..).map(cell).collect()));
    }
    text.push_str("\\bottomrule\n");
    text.push_str("\\end{tabular}\n");
    // Below the table, so that they make it no wider.
    if !table.footnotes.is_empty() {
        let notes: Vec<String> = table.footnotes.iter().map(|note| latex(&text::message(note))).collect();
        text.extend(["\n{\\footnotesize ", &notes.join("\\\\\n"), "\\par}\n"]);
    }
    match &table.caption {
        Some(caption) => {
            format!("\\begin{{table}}\n\\centering\n{text}\\caption{{{}}}\n\\end{{table}}\n", latex(caption))
        }
        None => text,
    }
}

/// The title as a comment.
pub(crate) fn title(table: &Table) -> String {
    format!("% {}\n", table.title())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table {
            title: "Two systems".to_owned(),
            columns: vec![Column::text("System", "system"), Column::number("F1", "f1")],
            rows: vec![
                vec!["A|B".to_owned(), "0.5".to_owned()],
                vec!["C_1, \"D\"".to_owned(), "1".to_owned()],
            ],
            notes: vec!["A note.".to_owned()],
            ..Table::default()
        }
    }

    #[test]
    fn bold_cells_and_a_caption_are_for_latex() {
        let dressed = Table {
            bold: vec![(1, 1)],
            underlined: vec![(0, 1)],
            footnotes: vec!["How & why.".to_owned()],
            caption: Some("50 % more".to_owned()),
            ..table()
        };
        insta::assert_snapshot!(dressed.render(Layout::Latex).unwrap(), @r#"
        \begin{table}
        \centering
        % Two systems
        \begin{tabular}{lr}
        \toprule
        System & F1 \\
        \midrule
        A\textbar{}B & \underline{0.5} \\
        C\_1, "D" & \textbf{1} \\
        \bottomrule
        \end{tabular}

        {\footnotesize How \& why.\par}
        \caption{50 \% more}
        \end{table}
        "#);
        let markdown = format!("{}\nHow & why.\n", table().render(Layout::Markdown).unwrap());
        assert_eq!(dressed.render(Layout::Markdown).unwrap(), markdown);
        assert!(dressed.render(Layout::Table).unwrap().ends_with("\n\nA note.\nHow & why.\n"));
    }

    /// No format prints what commands a terminal, and a cell is one cell.
    #[test]
    fn what_strangers_wrote_is_a_cell() {
        let evil = "x\u{1b}[31m\u{9b}\r\n|`[l](http://e)<b>\\";
        let evil = Table {
            title: evil.to_owned(),
            rows: vec![vec![evil.to_owned(), "=1+1".to_owned()]],
            notes: vec![evil.to_owned()],
            ..table()
        };
        for format in [Layout::Table, Layout::Markdown, Layout::Latex, Layout::Csv] {
            let text = evil.render(format).unwrap();
            let raw = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r'));
            assert_eq!(raw, None, "{format:?}: {text}");
        }
        let cells = |format| {
            evil.render(format).unwrap().lines().find(|line| line.contains("=1")).unwrap().to_owned()
        };
        insta::assert_snapshot!(cells(Layout::Table), @r"x\u{1b}[31m\u{9b}\r\n|`[l](http://e)<b>\  =1+1");
        insta::assert_snapshot!(cells(Layout::Markdown), @r"| x\u{1b}[31m\u{9b}\r\n\|`[l\](http://e)\<b>\ | =1+1 |");
        insta::assert_snapshot!(cells(Layout::Latex), @r"x\textbackslash{}u\{1b\}[31m\textbackslash{}u\{9b\}\textbackslash{}r\textbackslash{}n\textbar{}`[l](http://e)\textless{}b\textgreater{}\textbackslash{} & =1+1 \\");
        assert_eq!(
            evil.render(Layout::Csv).unwrap(),
            "system,f1\n\"x\\u{1b}[31m\\u{9b}\r\n|`[l](http://e)<b>\\\",=1+1\n"
        );
    }

    #[test]
    fn every_format() {
        insta::assert_snapshot!(table().render(Layout::Table).unwrap(), @r#"
        Two systems

        System     F1
        A|B       0.5
        C_1, "D"    1

        A note.
        "#);
        insta::assert_snapshot!(table().render(Layout::Markdown).unwrap(), @r#"
        Two systems

        | System   |  F1 |
        |---|--:|
        | A\|B     | 0.5 |
        | C_1, "D" |   1 |
        "#);
        insta::assert_snapshot!(table().render(Layout::Csv).unwrap(), @r#"
        system,f1
        A|B,0.5
        "C_1, ""D""",1
        "#);
        let cells = ["-", "?", "-0.5"].map(|cell| vec![cell.to_owned(); 2]).to_vec();
        let undefined = Table { rows: cells, ..table() };
        assert_eq!(undefined.render(Layout::Csv).unwrap(), "system,f1\n-,\n?,\n-0.5,-0.5\n");
        insta::assert_snapshot!(table().render(Layout::Latex).unwrap(), @r#"
        % Two systems
        \begin{tabular}{lr}
        \toprule
        System & F1 \\
        \midrule
        A\textbar{}B & 0.5 \\
        C\_1, "D" & 1 \\
        \bottomrule
        \end{tabular}
        "#);
    }
}
