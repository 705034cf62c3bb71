//! `MetaQA`: a line a question about films, its topic in brackets, and its answers.
//!
//! Two columns: the question and its answers, texts with `|` between them. The files have no ids. Questions are kept with their
//! brackets, as written. Source: `yuyuz/MetaQA`, README.

use crate::sources::document::Row;
use crate::sources::format::Format;
use crate::sources::format::context::Context;
use crate::sources::format::drafts::literal;
use crate::sources::format::table::fixed;

/// `MetaQA`.
pub(crate) static FORMAT: Format = Format {
    name: "metaqa",
    description: "MetaQA (text): lines of a question with its topic in brackets and answers, separated by a tab and by `|`.",
    media_type: "text/tab-separated-values",
    recognise: |content| {
        fixed::all_have(content, |[question, answers]| names_topic(question) && !answers.is_empty())
    },
    read: |content, here| fixed::read(content, here, read_line),
    targets: &[],
};

/// Whether there is a text in brackets, and words beside it.
fn names_topic(question: &str) -> bool {
    let topic = question.split_once('[').and_then(|(_, rest)| rest.rsplit_once(']'));
    topic.is_some_and(|(topic, _)| {
        !topic.trim().is_empty() && question.trim().len() > topic.len() + "[]".len()
    })
}

fn read_line([question, answers]: [&str; 2], here: &mut Context) {
    here.draft.add_text(None, question.to_owned());
    here.draft.has_answers = true;
    if answers.trim().is_empty() {
        return;
    }
    let (blank, texts): (Vec<&str>, Vec<&str>) =
        answers.split('|').partition(|answer| answer.trim().is_empty());
    here.draft
        .add_rows(texts.into_iter().map(|text| Row { cells: [literal("answer", text)].into() }).collect());
    if !blank.is_empty() {
        let message = format!("{} of the answers have no text; they are left out", blank.len());
        here.draft.keep("answers".to_owned(), answers.to_owned());
        here.named("answers").cannot_read(message);
    }
}

#[cfg(test)]
mod tests {
    use AnswerState::{Empty, Given, Unreadable};

    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn topics_stay_in_their_texts() {
        let found = FORMAT.recognised(
            "what does [Grégoire Colin] appear in\tBefore the Rain|Nothing\nwho directed [[REC]]?\tPaco Plaza\n",
        );
        let [first, second] = &found.questions[..] else { panic!("not two questions") };
        assert_eq!((first.key.as_str(), first.answers.values()), ("~1", vec!["Before the Rain", "Nothing"]));
        assert_eq!(first.texts[0].text, "what does [Grégoire Colin] appear in");
        assert_eq!(second.answers.values(), ["Paco Plaza"]);
        let codes: Vec<&str> = found.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(codes, ["missing-id"]);
    }

    #[test]
    fn what_cannot_be_used_is_told_and_kept() {
        let text = "is [a] b\tx||y|\nis [a] b\t \nis [a] b\nis [a] b\t|\n";
        let found = FORMAT.document(text.as_bytes()).expect("a document");
        let states: Vec<AnswerState> = found.questions.iter().map(|q| q.answers.state).collect();
        assert_eq!(
            (states, found.questions[0].answers.values()),
            (vec![Given, Empty, Unreadable], vec!["x", "y"])
        );
        assert_eq!(found.questions[0].extras[0].value, "x||y|");
        let told: Vec<String> =
            found.issues.iter().map(|i| format!("{} {}: {}", i.place, i.code.name(), i.message)).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        line 1, answers unreadable-answer: 2 of the answers have no text; they are left out
        line 3, line unreadable-line: the line has 1 columns, not 2; it is not used: `is [a] b`
        line 4, answers unreadable-answer: 2 of the answers have no text; they are left out
        line 1 missing-id: the format has no ids; questions are called `~1`, `~2`, … after their position
        ");
    }

    #[test]
    fn other_lines_are_not_recognised() {
        for text in [
            "what does he appear in\tNothing\n",
            "[Grégoire Colin]\tNothing\n",
            "what is [] in\tNothing\n",
            "what is ]a[ in\tNothing\n",
            "what is [a] in\t\n",
            "what is [a] in\tb\tc\n",
            "what is [a] in\tb\nwho?\tc\n",
            "[\"a\tb\"]",
            "",
        ] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
