//! `SimpleQuestions` on Wikidata: a line a question, which one statement answers.
//!
//! Four columns: subject, property, answer, question. `P19` is a property of Wikidata; `R57` is `P57` the other way
//! round: the subject is its value, the answer is what has it. The files have no ids and no queries, and none are made
//! of the statement: which of several it is, nobody says. Source: `askplatypus/wikidata-simplequestions`, README.

use crate::sources::document::{Cell, CellKind, Row};
use crate::sources::format::Format;
use crate::sources::format::context::Context;
use crate::sources::format::graph_ids::WIKIDATA;
use crate::sources::format::table::fixed;

/// `SimpleQuestions` on Wikidata.
pub(crate) static FORMAT: Format = Format {
    name: "simple-questions",
    description: "SimpleQuestions on Wikidata (text): lines of subject, property, answer and question, separated by tabs.",
    media_type: "text/tab-separated-values",
    recognise: |content| fixed::all_have(content, has_form),
    read: |content, here| fixed::read(content, here, read_line),
    targets: &[],
};

fn has_form([subject, property, answer, question]: [&str; 4]) -> bool {
    let is_item = |text: &str| text.starts_with('Q') && WIKIDATA.iri(text).is_some();
    let number = property.strip_prefix(['P', 'R']);
    let is_property = number.is_some_and(|number| WIKIDATA.iri(&format!("P{number}")).is_some());
    is_item(subject) && is_property && is_item(answer) && !question.is_empty()
}

fn read_line([subject, property, answer, question]: [&str; 4], here: &mut Context) {
    here.draft.add_text(None, question.to_owned());
    here.draft.keep("subject".to_owned(), subject.to_owned());
    here.draft.keep("property".to_owned(), property.to_owned());
    here.draft.has_answers = true;
    let answer = answer.trim();
    if answer.is_empty() {
        return;
    }
    let value = WIKIDATA.of_entity(answer.to_owned(), &mut here.named("answer"));
    let cell = Cell { variable: "answer".to_owned(), kind: CellKind::Uri, value, ..Cell::default() };
    here.draft.add_rows(vec![Row { cells: [cell].into() }]);
}

#[cfg(test)]
mod tests {
    use AnswerState::{Empty, Given};

    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn a_statement_a_question() {
        let found = FORMAT.recognised(
            "Q318926\tP19\tQ1010\twhere was sasha vujačić born\r\nQ25\tR57\tQ14\tWhat is a film by her?\n",
        );
        let [first, second] = &found.questions[..] else { panic!("not two questions") };
        assert_eq!(
            (first.key.as_str(), first.texts[0].text.as_str()),
            ("~1", "where was sasha vujačić born")
        );
        let kept: Vec<(&str, &str)> =
            second.extras.iter().map(|extra| (extra.name.as_str(), extra.value.as_str())).collect();
        assert_eq!(kept, [("subject", "Q25"), ("property", "R57")]);
        let cell = &second.answers.sets[0].rows[0].cells[0];
        assert_eq!((cell.value.as_str(), cell.kind), ("http://www.wikidata.org/entity/Q14", CellKind::Uri));
        assert!(second.queries.is_empty());
    }

    #[test]
    fn what_cannot_be_used_is_told_and_kept() {
        let text =
            "Q1\tP2\tQ3\tone two\nQ1\tP2\t\tno answer\nQ1\tP2\tx\tan odd answer\nQ1\tP2\tQ3\nQ1\tP2\tQ3\t\n";
        let found = FORMAT.document(text.as_bytes()).expect("a document");
        let states: Vec<AnswerState> = found.questions.iter().map(|q| q.answers.state).collect();
        assert_eq!(states, [Given, Empty, Given, Given]);
        assert_eq!(found.questions[2].answers.sets[0].rows[0].cells[0].value, "x");
        assert_eq!(found.questions[2].extras[2].value, "Q1\tP2\tQ3");
        let told: Vec<String> =
            found.issues.iter().map(|i| format!("{} {}: {}", i.place, i.code.name(), i.message)).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        line 3, answer invalid-iri: `x` is no id of Wikidata; it is used as written
        line 4, line unreadable-line: the line has 3 columns, not 4; it is not used: `Q1	P2	Q3`
        line 5, question missing-text: the question has no text
        line 1 missing-id: the format has no ids; questions are called `~1`, `~2`, … after their position
        ");
    }

    #[test]
    fn other_lines_are_not_recognised() {
        for text in [
            "Q1\tP2\tQ3\tone two\nQ1\tP2\tQ3\n",
            "Q1\tP2\tQ3\t\n",
            "Q1\tX2\tQ3\tone two\n",
            "Q\tP2\tQ3\tone two\n",
            "301 0 Q3 1\n",
            "",
        ] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
        assert!(FORMAT.document(b"Q1\tP2\n").is_err());
    }
}
