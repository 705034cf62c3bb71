//! Tables in LaTeX, with the rules of the booktabs package.

use crate::report::table::{Align, Table};

/// The table as a `tabular` environment.
pub(crate) fn render(table: &Table) -> String {
    let align: String =
        table.columns.iter().map(|c| if c.align == Align::Right { 'r' } else { 'l' }).collect();
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let title = if table.title.is_empty() {
        String::new()
    } else {
        format!("% {}\n", table.title.replace('\n', "\n% "))
    };
    let mut text = format!("{title}\\begin{{tabular}}{{{align}}}\n\\toprule\n");
    text.push_str(&line(table.columns.iter().map(|column| escape(&column.heading)).collect()));
    text.push_str("\\midrule\n");
    for row in &table.rows {
        text.push_str(&line(row.iter().map(|cell| escape(cell)).collect()));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    text
}

/// The ten characters that LaTeX reads as commands, and those that its old fonts lack.
fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut escaped, character| {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', character]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            _ => escaped.push(character),
        }
        escaped
    })
}
