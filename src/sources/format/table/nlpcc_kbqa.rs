//! NLPCC KBQA: lines `<question id="1">`, `<triple id="1">`, `<answer id="1">`, a tab behind each, gold and answers.
//!
//! Answers are texts, separated by tabs and by nothing else: `农业科学|医药科学|生物学` is one answer. Their order is the
//! ranking of the system. An answer without characters, such as the one behind a last tab, is none.

use crate::base::error::{Error, Result};
use crate::base::issue::{IssueCode, Place};
use crate::sources::document::{Document, Row};
use crate::sources::file::line;
use crate::sources::format::Format;
use crate::sources::format::context::Context;
use crate::sources::format::drafts::{Drafts, literal};

/// NLPCC KBQA.
pub(crate) static FORMAT: Format = Format {
    name: "nlpcc-kbqa",
    description: "NLPCC KBQA (text): lines `<question id=…>`, `<triple id=…>`, `<answer id=…>`.",
    media_type: "text/plain",
    recognise: |content| {
        let lines = line::first_lines(content);
        let mut tagged = lines.iter().filter_map(|line| tag(line));
        // `<question id="1"><string …` is XML
        let is_text = |rest: &str| !rest.is_empty() && !rest.starts_with('<');
        line::most(&lines, |line| tag(line).is_some() || is_separator(line))
            && tagged.next().is_some_and(|(_, _, rest)| is_text(rest))
    },
    read,
    targets: &[],
};

/// The tags of the format.
const TAGS: [&str; 3] = ["question", "triple", "answer"];

/// The name, the id and what stands behind a tag.
fn tag(line: &str) -> Option<(&str, &str, &str)> {
    let (inside, rest) = line.trim_start().strip_prefix('<')?.split_once('>')?;
    let (name, id) = inside.split_once(' ')?;
    let id = id.trim().strip_prefix("id")?.trim_start().strip_prefix('=')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_name.then_some((name, id.trim().trim_matches('"').trim(), rest))
}

fn is_separator(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.bytes().all(|byte| byte == b'=')
}

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let mut reader = Tagged { drafts: Drafts::new(here.notes), current: None };
    for (number, line) in line::lines(text).filter(|(_, line)| !is_separator(line)) {
        match tag(line) {
            Some((name, id, rest)) if TAGS.contains(&name) => {
                // one tab belongs to the tag
                reader.read(name, id, rest.strip_prefix('\t').unwrap_or(rest), number);
            }
            Some((name, ..)) => {
                let why = format!("the tag `{name}` is none of question, triple, answer");
                reader.drafts.stray(number, line, &why);
            }
            None => reader.drafts.stray(number, line, "the line has no tag"),
        }
    }
    if reader.drafts.len() == 0 {
        return Err(Error::input("no line begins with `<question id=…>` or `<answer id=…>`"));
    }
    reader.drafts.finish(here.draft, |here| {
        here.check_text();
    });
    Ok(())
}

/// The lines with tags.
#[derive(Debug)]
struct Tagged<'n> {
    drafts: Drafts<'n>,
    /// The question of the last `question` line.
    current: Option<usize>,
}

impl Tagged<'_> {
    fn read(&mut self, name: &str, id: &str, rest: &str, line: u64) {
        let place = Place { question: Some(id.to_owned()), ..Place::line(line) };
        let position = match name {
            "question" => self.question(id, line),
            _ => self.question_of(name, id, &place, line),
        };
        let here = &mut self.drafts.at(position, place);
        match name {
            "question" => here.draft.add_text(None, rest.to_owned()),
            "triple" => here.draft.keep_once("triple", rest),
            _ => {
                if here.draft.has_answers {
                    let message = "a second answer line; its answers stand behind those of the first";
                    here.named("answer").note(IssueCode::OutOfOrder, message);
                }
                here.draft.has_answers = true;
                let answers = rest.split('\t').filter(|answer| !answer.trim().is_empty());
                here.draft.extend_rows(
                    answers.map(|answer| Row { cells: [literal("answer", answer)].into() }).collect(),
                );
            }
        }
    }

    /// The question that a `question` line begins; or its text comes behind its answers.
    fn question(&mut self, id: &str, line: u64) -> usize {
        let waiting = self.drafts.find(id);
        let waiting = waiting.filter(|position| self.drafts.peek(*position).question.texts.is_empty());
        let position = waiting.unwrap_or_else(|| self.drafts.begin(id, line));
        self.current = Some(position);
        position
    }

    /// The question of another line: the one before it, if the ids are the same.
    fn question_of(&mut self, name: &str, id: &str, place: &Place, line: u64) -> usize {
        let current = self.current.filter(|position| self.drafts.peek(*position).question.id == id);
        if let Some(position) = current {
            return position;
        }
        let known = self.drafts.find(id);
        let message = match known {
            Some(_) => format!("the {name} stands behind another question; the id decides"),
            None => format!("no question before this {name} has its id; the id decides"),
        };
        self.drafts.note(place.clone(), name, IssueCode::OutOfOrder, message);
        known.unwrap_or_else(|| self.drafts.begin(id, line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn questions_triples_and_ranked_answers() {
        let found = FORMAT.recognised(
            "\u{feff}<question id=\"1\">\t微软公司的创始人是谁?\r\n<triple id=\"1\">\t微软 ||| 创始人 ||| 盖茨\r\n<answer id=\"1\">\t比尔盖茨 \t 保罗艾伦\r\n=====\r\n<question id=2>\tq\r\n<answer id=2>\ta|b ||| c\t\r\n=====\r\n<question id=3>\tr\n<answer id=3>\n<question id=4>\ts\n",
        );
        let codes: Vec<&str> = found.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(codes, ["byte-order-mark"]);
        let questions = &found.questions;
        assert_eq!(questions[0].answers.values(), ["比尔盖茨 ", " 保罗艾伦"]);
        assert_eq!(questions[1].answers.values(), ["a|b ||| c"]);
        assert_eq!(questions[0].extras[0].value, "微软 ||| 创始人 ||| 盖茨");
        assert_eq!((questions[1].texts[0].text.as_str(), questions[1].place.line), ("q", Some(5)));
        let states: Vec<AnswerState> = questions.iter().map(|q| q.answers.state).collect();
        assert_eq!(states, [AnswerState::Given, AnswerState::Given, AnswerState::Empty, AnswerState::Absent]);
    }

    #[test]
    fn ids_decide_where_lines_are_out_of_order() {
        let found = FORMAT.recognised(
            "stray\n<answer id=1>\ta\n<question id=1>\tq\n<question id=2>\tr\n<answer id=1>\tb\n<answer id=2>\tc\n<remark id=2>\tx\n<answer id=9>\td\n<question id=2>\tagain\n",
        );
        let told: Vec<String> =
            found.issues.iter().map(|i| format!("{} {}: {}", i.place, i.code.name(), i.message)).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        line 1, line unreadable-line: the line has no tag; it is not used: `stray`
        line 2, question 1, answer out-of-order: no question before this answer has its id; the id decides
        line 5, question 1, answer out-of-order: the answer stands behind another question; the id decides
        line 5, question 1, answer out-of-order: a second answer line; its answers stand behind those of the first
        line 7, line unreadable-line: the tag `remark` is none of question, triple, answer; it is not used: `<remark id=2>	x`
        line 8, question 9, answer out-of-order: no question before this answer has its id; the id decides
        line 8, question 9, question missing-text: the question has no text
        line 9, question 2 duplicate-id: the id `2` occurs again; this question is called `2~2`
        ");
        let keys: Vec<(&str, Vec<&str>, usize)> =
            found.questions.iter().map(|q| (q.key.as_str(), q.answers.values(), q.extras.len())).collect();
        assert_eq!(
            keys,
            [("1", vec!["a", "b"], 1), ("2", vec!["c"], 1), ("9", vec!["d"], 0), ("2~2", vec![], 0)]
        );
    }

    #[test]
    fn other_texts_are_not_recognised() {
        for text in [
            "",
            "=====\n",
            "<question id=\"1\"><string>x</string></question>",
            "<dataset id=\"x\">\n",
            "a\tb",
        ] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
