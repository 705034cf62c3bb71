//! Questions in one file and their answers in another (`QUESTIONS+ANSWERS`), as `DBLP-QuAD` and `SciQA` are published: answers
//! belong to the question with their id.

use std::collections::HashMap;

use crate::base::error::{Error, Result};
use crate::base::issue::{Issue, IssueCode};
use crate::base::text::{counted, first};
use crate::sources::document::{AnswerState, Document, Question};
use crate::sources::file::joined::{Joined, is_joined};
use crate::sources::format::context::Context;
use crate::sources::format::{Format, read as read_any};

/// How many ids a message names.
const MOST_IDS: usize = 5;

/// Two files that are one dataset.
pub(crate) static FORMAT: Format = Format {
    name: "questions-and-answers",
    description: "Two files that are one dataset: `QUESTIONS+ANSWERS`, joined by id.",
    media_type: "application/x-tar",
    recognise: is_joined,
    read,
    targets: &[],
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let Joined { questions, answers } =
        Joined::of(content).ok_or_else(|| Error::input("these are no two files of a dataset"))??;
    let [(questions, _), (answers, _)] = [read_any(&questions)?, read_any(&answers)?];
    *here.draft = join(questions, answers)?;
    Ok(())
}

/// The questions of one document with the answers of another.
fn join(mut questions: Document, mut answers: Document) -> Result<Document> {
    let given = |document: &Document| -> usize {
        document.questions.iter().filter(|question| question.answers.state != AnswerState::Absent).count()
    };
    let hint = "`QUESTIONS+ANSWERS`: first the file of the questions, then that of their answers";
    match (given(&questions), given(&answers)) {
        (0, 0) => {
            return Err(Error::input("no question of the second file has answers").hint(hint));
        }
        (_, 0) => {
            return Err(Error::input("the first file has answers, and the second has none").hint(hint));
        }
        (0, _) => {}
        (number, _) => {
            return Err(Error::input(format!(
                "both files have answers, the first one to {number} of its questions"
            ))
            .hint("name the one file that has both"));
        }
    }
    let mut of_ids = by_id(&mut answers)?;
    for question in &mut questions.questions {
        if let Some(answer) = of_ids.remove(question.key.as_str()) {
            take(question, answer);
        }
    }
    let mut unknown: Vec<String> = of_ids.into_keys().collect();
    if !unknown.is_empty() {
        unknown.sort();
        let known = questions.questions.iter().map(|question| format!("`{}`", question.key));
        return Err(Error::input(format!(
            "the second file answers {} that the first one does not have: {}",
            counted(unknown.len(), "question"),
            first(unknown.iter().map(|id| format!("`{id}`")), MOST_IDS)
        ))
        .allowed(format!("ids of the first file, such as {}", first(known, MOST_IDS))));
    }
    questions.issues.retain(|issue| issue.code != IssueCode::QuestionsOnly);
    questions.issues.extend(std::mem::take(&mut answers.issues).into_iter().map(of_answers));
    Ok(questions)
}

/// The answers by their ids; an error where two have the same, as nobody can tell which counts.
fn by_id(answers: &mut Document) -> Result<HashMap<String, Question>> {
    let mut of_ids = HashMap::with_capacity(answers.questions.len());
    for question in std::mem::take(&mut answers.questions) {
        if question.id.is_empty() {
            return Err(Error::input("an answer of the second file has no id")
                .at(question.place.to_string())
                .allowed("answers with the ids of their questions"));
        }
        let id = question.id.clone();
        if of_ids.insert(id.clone(), question).is_some() {
            return Err(Error::input(format!("the second file answers question `{id}` twice")));
        }
    }
    Ok(of_ids)
}

/// What the second file says about a question.
fn take(question: &mut Question, answer: Question) {
    question.answers = answer.answers;
    question.extras.extend(answer.extras);
    question.error = question.error.take().or(answer.error);
    question.response_time = question.response_time.take().or(answer.response_time);
    question.asked = question.asked.take().or(answer.asked);
}

/// An issue of the second file: its lines are not those of the first.
fn of_answers(mut issue: Issue) -> Issue {
    let path = issue.place.path.take().unwrap_or_default();
    issue.place.path = Some(format!("answers{}", path.strip_prefix('$').unwrap_or(&path)));
    issue
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::file::source::Source;

    const QUESTIONS: &str = r#"{"questions": [{"id": "Q1", "query_type": "BOOLEAN", "question": {"string": "Is it?"},
        "paraphrased_question": {"string": "Isn't it?"}, "query": {"sparql": "ASK {}"}, "template_id": "T1", "temporal": false},
        {"id": "Q2", "query_type": "FACTOID", "question": {"string": "Who?"}, "paraphrased_question": [],
         "query": {"sparql": "SELECT ?answer {}"}, "template_id": "T2"},
        {"id": "Q3", "query_type": "FACTOID", "question": {"string": "Where?"}, "query": {"sparql": "SELECT ?a {}"}, "template_id": "T3"}]}"#;
    const ANSWERS: &str = r#"{"answers": [{"id": "Q2", "answer": {"head": {"vars": ["answer"]}, "results": {"bindings": [
        {"answer": {"type": "uri", "value": "https://dblp.org/pid/1"}}]}}}, {"id": "Q1", "answer": {"head": {}, "boolean": true}}]}"#;

    fn joined(questions: &str, answers: &str) -> Result<(Document, &'static Format)> {
        let source = |text: &str| Source::from_bytes("x.json", text.as_bytes().to_vec()).expect("a source");
        let both = Joined { questions: source(questions), answers: source(answers) };
        read_any(&both.into_source().expect("a source"))
    }

    #[test]
    fn answers_come_to_their_questions() {
        let (document, format) = joined(QUESTIONS, ANSWERS).expect("a document");
        assert_eq!(format.name, FORMAT.name);
        let states: Vec<AnswerState> =
            document.questions.iter().map(|question| question.answers.state).collect();
        assert_eq!(states, [AnswerState::Given, AnswerState::Given, AnswerState::Absent]);
        assert_eq!(document.questions[0].answers.sets[0].boolean, Some(true));
        assert_eq!(document.questions[1].answers.values(), ["https://dblp.org/pid/1"]);
        assert_eq!(document.questions[1].queries.len(), 1);
        let codes: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(codes, [""; 0]);
    }

    #[test]
    fn files_that_do_not_belong_together() {
        let told =
            |questions: &str, answers: &str| joined(questions, answers).expect_err("an error").to_string();
        let other = ANSWERS.replace("Q2", "Z2");
        let twice = ANSWERS.replace("Q2", "Q1");
        let texts = [
            told(ANSWERS, QUESTIONS),
            told(QUESTIONS, QUESTIONS),
            told(ANSWERS, ANSWERS),
            told(QUESTIONS, &other),
            told(QUESTIONS, &twice),
        ];
        insta::assert_snapshot!(texts.join("\n---\n"), @r"
        x.json+x.json: the first file has answers, and the second has none.
        hint: `QUESTIONS+ANSWERS`: first the file of the questions, then that of their answers
        ---
        x.json+x.json: no question of the second file has answers.
        hint: `QUESTIONS+ANSWERS`: first the file of the questions, then that of their answers
        ---
        x.json+x.json: both files have answers, the first one to 2 of its questions.
        hint: name the one file that has both
        ---
        x.json+x.json: the second file answers 1 question that the first one does not have: `Z2`.
        allowed: ids of the first file, such as `Q1`, `Q2`, `Q3`
        ---
        x.json+x.json: the second file answers question `Q1` twice.
        ");
    }
}
