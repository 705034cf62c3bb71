//! Tables in LaTeX, with the rules of the booktabs package.

use crate::base::text::latex;
use crate::report::table::{Align, Table};

/// The table as a `tabular` environment.
pub(crate) fn render(table: &Table) -> String {
    let align: String =
        table.columns.iter().map(|c| if c.align == Align::Right { 'r' } else { 'l' }).collect();
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let title = if table.title.is_empty() { String::new() } else { title(table) };
    let mut text = format!("{title}\\begin{{tabular}}{{{align}}}\n\\toprule\n");
    text.push_str(&line(table.columns.iter().map(|column| latex(&column.heading)).collect()));
    text.push_str("\\midrule\n");
    for row in &table.rows {
        text.push_str(&line(row.iter().map(|cell| latex(cell)).collect()));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    text
}

/// The title as a comment.
pub(crate) fn title(table: &Table) -> String {
    format!("% {}\n", table.title())
}
