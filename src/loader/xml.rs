//! QALD-XML as GERBIL's loader reads it (`specs/formats.md`, sections d.1, d.3 and d.4).

use super::{LeftOut, Loaded, Reason};
use crate::gerbil::loader::date_text;
use crate::read::{AnswerSet, AnswerState, Answers, Cell, QueryKind, Question, Row, Text};
use crate::sparql;

/// Drops the questions whose query Jena does not parse, and makes of the others what the loader makes of them.
pub(super) fn load(loaded: &mut Loaded<'_>, language: &str) {
    loaded.leave_out(refused);
    loaded.change(|question| {
        let mut told = Vec::new();
        told.extend(set_texts(question, language));
        told.extend(set_answers(question));
        let mut kinds = Vec::new();
        question.queries.retain(|query| {
            let is_first = !kinds.contains(&query.kind);
            kinds.push(query.kind);
            is_first
        });
        told
    });
}

/// Jena sees the first node of the first `<query>`. Without any node it sees nothing, and the question stays; pseudo
/// queries are not looked at.
fn refused(question: &Question) -> Option<LeftOut> {
    let because = |detail: String| Some(LeftOut { reason: Reason::QueryRefused, detail: Some(detail) });
    if question.blank_query_node {
        return because("its first node is white space".to_owned());
    }
    if question.answers.state == AnswerState::OutOfScope {
        return because("it is the marker `OUT OF SCOPE`".to_owned());
    }
    let query = question.queries.iter().find(|query| query.kind == QueryKind::Sparql)?;
    because(sparql::check(&query.text).err()?.to_string())
}

/// The texts by language, the last of a language. The loader looks at every `<string>` below the question, those of the
/// answers too; it takes the first without a language for the language of the experiment, and stops.
fn set_texts(question: &mut Question, language: &str) -> Option<String> {
    let mut texts: Vec<Text> = Vec::new();
    let mut put = |tag: &str, text: &str| match texts.iter_mut().find(|known| known.language.as_deref() == Some(tag)) {
        Some(known) => text.trim().clone_into(&mut known.text),
        None => texts.push(Text { language: Some(tag.to_owned()), text: text.trim().to_owned() }),
    };
    let mut told = None;
    let is_bare = |text: &&Text| text.language.is_none();
    let first_bare = question.texts.iter().find(is_bare);
    for text in question.texts.iter().take_while(|text| text.language.is_some()) {
        put(text.language.as_deref().unwrap_or(language), &text.text);
    }
    if let Some(text) = first_bare {
        put(language, &text.text);
    } else if let Some(answer) = cells(question).find(|cell| cell.variable == "string") {
        put(language, &answer.value);
        told = Some(format!("in place of its text in `{language}` it asks its first answer, `{}`", answer.value.trim()));
    }
    question.texts = texts;
    told
}

fn cells(question: &Question) -> impl Iterator<Item = &Cell> {
    question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells)
}

/// One string for each `<answer>`, after the answer type.
fn set_answers(question: &mut Question) -> Option<String> {
    let answer_type = question.answer_type.as_deref().unwrap_or_default().to_lowercase();
    let rows = question.answers.sets.iter().flat_map(|set| &set.rows);
    let values: Vec<String> = rows.filter_map(|row| Some(value(&answer_type, row.cells.first()?))).collect();
    let (before, after) = (cells(question).count(), values.len());
    let rewritten = cells(question).zip(&values).find(|(cell, value)| cell.value != **value && before == after);
    let told = match rewritten {
        Some((cell, value)) => Some(format!("the answer `{}` becomes `{value}`", cell.value)),
        None => (after < before).then(|| format!("of {before} values the {after} on the first lines of the answers are left")),
    };
    let cell = |value| Cell { variable: "answer".to_owned(), value, ..Cell::default() };
    let rows: Vec<Row> = values.into_iter().map(|value| Row { cells: vec![cell(value)] }).collect();
    question.answers = Answers {
        state: question.answers.state,
        sets: vec![AnswerSet { rows, has_bindings: true, ..AnswerSet::default() }],
    };
    told
}

/// The string of an answer. The text of all its cells begins with the first; in every file that was seen, the second
/// stands on a line of its own.
fn value(answer_type: &str, first: &Cell) -> String {
    match answer_type {
        "boolean" => first.value.trim().eq_ignore_ascii_case("true").to_string(),
        "date" => date_text(&first.value),
        _ => first.value.trim().lines().next().unwrap_or_default().to_owned(),
    }
}
