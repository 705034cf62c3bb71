//! Lines with a fixed number of columns and neither header nor ids: each is a question, named by its position.

use crate::base::error::{Error, Result};
use crate::sources::document::Document;
use crate::sources::file::line;
use crate::sources::format::context::Context;
use crate::sources::format::drafts::Drafts;

/// The columns of a line, if it has the right number of them.
pub(crate) fn split<const N: usize>(line: &str) -> Option<[&str; N]> {
    let fields: Vec<&str> = line.split('\t').collect();
    fields.try_into().ok()
}

/// Whether each of the first lines of a file has these columns. Two lines tell more than one, but one is enough.
pub(crate) fn all_have<const N: usize>(content: &[u8], has_form: impl Fn([&str; N]) -> bool) -> bool {
    let lines = if line::may_be_lines(content) { line::first_lines(content) } else { Vec::new() };
    !lines.is_empty() && lines.iter().all(|line| split(line).is_some_and(&has_form))
}

/// Reads every line with so many columns as a question; the others are told and kept.
pub(crate) fn read<const N: usize>(
    content: &[u8],
    here: &mut Context<Document>,
    read: impl Fn([&str; N], &mut Context),
) -> Result<()> {
    let text = here.text(content)?;
    let mut drafts = Drafts::new(here.notes);
    for (number, line) in line::lines(text) {
        let Some(fields) = split(line) else {
            let why = format!("the line has {} columns, not {N}", line.split('\t').count());
            drafts.stray(number, line, &why);
            continue;
        };
        let here = &mut drafts.of("", number);
        read(fields, here);
        here.check_text();
    }
    if drafts.len() == 0 {
        return Err(Error::input(format!("no line has {N} columns")));
    }
    drafts.finish(here.draft, |_| {});
    here.draft.name_by_position();
    Ok(())
}
