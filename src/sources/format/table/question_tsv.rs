//! Questions without ids, one per line, perhaps with answer and type behind tabs (stonetemple of NLIWOD).
//!
//! A question is named by its position. The answer is one text, whatever it says. Only a file in which some line has
//! an answer is of this format: else every prose would be.

use crate::base::error::Result;
use crate::base::issue::IssueCode;
use crate::sources::document::{Document, Row};
use crate::sources::file::line;
use crate::sources::format::Format;
use crate::sources::format::context::Context;
use crate::sources::format::drafts::{Drafts, literal};

/// Questions without ids.
pub(crate) static FORMAT: Format = Format {
    name: "question-tsv",
    description: "Questions without ids (text): lines of question, answer and type, separated by tabs; the last two may be missing.",
    media_type: "text/tab-separated-values",
    recognise,
    read,
    targets: &[],
};

fn recognise(content: &[u8]) -> bool {
    if !line::may_be_lines(content) {
        return false;
    }
    let Ok(text) = std::str::from_utf8(crate::sources::file::text::without_mark(content)) else {
        return false;
    };
    let (mut all, mut good, mut answered) = (0_usize, 0_usize, 0_usize);
    for (_, line) in line::lines(text) {
        let fields: Vec<&str> = line.split('\t').collect();
        let is_good = fields.len() <= 3 && is_question(fields[0]);
        all += 1;
        good += usize::from(is_good);
        answered += usize::from(is_good && fields.len() > 1 && !fields[1].trim().is_empty());
    }
    // nine lines in ten are good, one in a hundred has an answer
    good * 10 >= all * 9 && answered > 0 && answered * 100 >= all
}

/// A text of at least two words.
fn is_question(field: &str) -> bool {
    field.split_whitespace().nth(1).is_some()
}

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let mut drafts = Drafts::new(here.notes);
    for (number, line) in line::lines(text) {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields.len() > 3 || fields[0].trim().is_empty() {
            let why = format!("the line has {} fields or no question", fields.len());
            drafts.stray(number, line, &why);
            continue;
        }
        let here = &mut drafts.of("", number);
        here.draft.add_text(None, fields[0].to_owned());
        here.draft.has_answers = fields.len() > 1;
        if let Some(answer) = fields.get(1).filter(|answer| !answer.trim().is_empty()) {
            here.draft.add_rows(vec![Row { cells: [literal("answer", answer)].into() }]);
        }
        if let Some(kind) = fields.get(2).filter(|kind| !kind.trim().is_empty()) {
            here.draft.question.answer_type = Some((*kind).to_owned());
            let message = "the format says nothing about the words for types; they are kept as written";
            here.named("type").note_once(IssueCode::UnknownAnswerType, message);
        }
    }
    drafts.finish(here.draft, |_| {});
    here.draft.name_by_position();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;
    use crate::sources::document::AnswerState::{Absent, Empty, Given};

    #[test]
    fn questions_with_and_without_answers() {
        let text = "who is it?\nhow tall is he\t6 ft 2 in\twikipedia\r\nwhat\tis\nwhere is it\t\n\tx y\nhow old\ta\tb\tc\nhow far is it\t3 km\nwhat is a\nwhat is b\nwhat is c\nwhat is d\nwhat is e\n";
        let lenient = text.replace("\tx y\nhow old\ta\tb\tc\n", "").replace("what\tis\n", "");
        assert!(recognise(lenient.as_bytes()) && !recognise(text.as_bytes()));
        let found = FORMAT.document(text.as_bytes()).expect("a document");
        let told: Vec<String> =
            found.issues.iter().map(|i| format!("{} {}: {}", i.place, i.code.name(), i.message)).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        line 2, type unknown-answer-type: the format says nothing about the words for types; they are kept as written
        line 5, line unreadable-line: the line has 2 fields or no question; it is not used: `	x y`
        line 6, line unreadable-line: the line has 4 fields or no question; it is not used: `how old	a	b	c`
        line 1 missing-id: the format has no ids; questions are called `~1`, `~2`, … after their position
        ");
        let states: Vec<AnswerState> = found.questions.iter().take(4).map(|q| q.answers.state).collect();
        assert_eq!(states, [Absent, Given, Given, Empty]);
        let second = &found.questions[1];
        assert_eq!((second.key.as_str(), second.answer_type.as_deref()), ("~2", Some("wikipedia")));
        assert_eq!(second.answers.sets[0].rows[0].cells[0].value, "6 ft 2 in");
        assert_eq!(found.questions.len(), 10);
    }

    #[test]
    fn prose_and_tables_are_not_recognised() {
        for text in [
            "This is a text.\nIt has two lines.\n",
            "id\tanswer\n1\tx\n",
            "question\tanswer\n",
            "all:\n\tcc main.c\n",
            "a b\tc\td\te\n",
            "",
        ] {
            assert!(!recognise(text.as_bytes()), "{text}");
        }
    }
}
