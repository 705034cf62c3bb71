//! `PathQuestion`: a line a question about Freebase, all its answers, and a path of the knowledge graph that leads to one.
//!
//! Three columns: the question; `answer(answer/answer/)`; `topic#relation#entity#relation#answer#<end>#answer`. In all
//! 1908 lines of `PQ-2H.txt` what stands before the bracket is the end of the path, and one of those in it, mostly the
//! first; in 150 lines there are more. So the brackets hold the answers, each with a `/` behind it, and
//! the text before them says only which of them the path leads to. Answers are texts as written
//! (`united_kingdom`); there are no ids. Source: `zmtkeke/IRN`.

use crate::sources::document::Row;
use crate::sources::format::Format;
use crate::sources::format::context::Context;
use crate::sources::format::drafts::literal;
use crate::sources::format::table::fixed;

/// What stands between the steps of a path and the answer that it leads to.
const END: &str = "#<end>#";

/// `PathQuestion`.
pub(crate) static FORMAT: Format = Format {
    name: "path-question",
    description: "PathQuestion (text): lines of question, `answer(answers/)` and path, separated by tabs.",
    media_type: "text/tab-separated-values",
    recognise: |content| {
        fixed::all_have(content, |[question, answers, path]| {
            !question.trim().is_empty() && all_answers(answers, path).is_some()
        })
    },
    read: |content, here| fixed::read(content, here, read_line),
    targets: &[],
};

/// The texts in the brackets behind the answer of the path. That one may have brackets itself.
fn all_answers<'l>(answers: &'l str, path: &str) -> Option<Vec<&'l str>> {
    let (_, end) = path.rsplit_once(END)?;
    let in_brackets = answers.trim().strip_prefix(end.trim())?.strip_prefix('(')?.strip_suffix("/)")?;
    let all: Vec<&str> = in_brackets.split('/').collect();
    all.iter().all(|answer| !answer.trim().is_empty()).then_some(all)
}

fn read_line([question, answers, path]: [&str; 3], here: &mut Context) {
    here.draft.add_text(None, question.to_owned());
    here.draft.keep("path".to_owned(), path.to_owned());
    here.draft.has_answers = true;
    if let Some(all) = all_answers(answers, path) {
        here.draft
            .add_rows(all.into_iter().map(|text| Row { cells: [literal("answer", text)].into() }).collect());
    } else if !answers.trim().is_empty() {
        here.draft.keep("answers".to_owned(), answers.to_owned());
        here.named("answers")
            .cannot_read("the answers are not `answer(answer/…/)` with the end of the path before it");
    }
}

#[cfg(test)]
mod tests {
    use AnswerState::{Empty, Given, Unreadable};

    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn the_brackets_hold_the_answers() {
        let found = FORMAT.recognised(concat!(
            "what sex is a_k 's offspring ?\tfemale(male/female/)\ta_k#children#b#gender#female#<end>#female\n",
            "the parent of c ?\td_(duke)(d_(duke)/)\tc#parents#d_(duke)#<end>#d_(duke)\r\n",
        ));
        let [first, second] = &found.questions[..] else { panic!("not two questions") };
        assert_eq!((first.key.as_str(), first.answers.values()), ("~1", vec!["male", "female"]));
        assert_eq!(first.texts[0].text, "what sex is a_k 's offspring ?");
        assert_eq!(
            (first.extras[0].name.as_str(), first.extras[0].value.as_str()),
            ("path", "a_k#children#b#gender#female#<end>#female")
        );
        assert_eq!(second.answers.values(), ["d_(duke)"]);
    }

    #[test]
    fn what_cannot_be_used_is_told_and_kept() {
        let text = "a b?\tx(x/)\tt#r#x#<end>#x\na b?\tx(y\tt#r#x#<end>#x\na b?\t\tt#r#x#<end>#x\na b?\tz(x//)\tt\nx\n";
        let found = FORMAT.document(text.as_bytes()).expect("a document");
        let states: Vec<AnswerState> = found.questions.iter().map(|q| q.answers.state).collect();
        assert_eq!(states, [Given, Unreadable, Empty, Unreadable]);
        let kept: Vec<&str> = found.questions[3].extras.iter().map(|extra| extra.value.as_str()).collect();
        assert_eq!(kept, ["t", "z(x//)", "x"]);
        let told: Vec<String> =
            found.issues.iter().map(|i| format!("{} {}: {}", i.place, i.code.name(), i.message)).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        line 2, answers unreadable-answer: the answers are not `answer(answer/…/)` with the end of the path before it
        line 4, answers unreadable-answer: the answers are not `answer(answer/…/)` with the end of the path before it
        line 5, line unreadable-line: the line has 1 columns, not 3; it is not used: `x`
        line 1 missing-id: the format has no ids; questions are called `~1`, `~2`, … after their position
        ");
    }

    #[test]
    fn other_lines_are_not_recognised() {
        for text in [
            "how tall is he\t6 ft 2 in\twikipedia\n",
            "who is it\tx(x/)\tt#r#x\n",
            "who is it\ty(x/)\tt#r#x#<end>#x\n",
            "who is it\tx()\tt#r#x#<end>#x\n",
            "who is it\tx(x/)\n",
            "",
        ] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
