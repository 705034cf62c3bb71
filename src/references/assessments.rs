//! Assessments: what people say about answers, by question and text.
//!
//! A file is a table with a line for each verdict of a person: question, answer, verdict, assessor. Without the column
//! of assessors a file is by one person, another than that of any other file.

use std::collections::BTreeMap;

use crate::base::error::{Error, Result};
use crate::base::issue::{Issue, IssueCode, Place};
use crate::measures::agreement::Ratings;
use crate::measures::judged::Verdict;
use crate::profiles::rules::Judging;
use crate::sources::file::source::Source;
use crate::sources::format::table::sheet::{ColumnName, Sheet};

const COLUMNS: [ColumnName; 4] = [
    ColumnName::QUESTION,
    ColumnName { names: &["answer"], required: true },
    ColumnName { names: &["verdict", "assessment"], required: true },
    ColumnName { names: &["assessor"], required: false },
];

/// What one person says about one answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    /// The line of the file.
    pub line: u64,
    /// The id of the question.
    pub question: String,
    /// The text of the answer, trimmed: an IRI or the text of a literal.
    pub answer: String,
    /// What it is.
    pub verdict: Verdict,
    /// Who says so; none where the file does not say.
    pub assessor: Option<String>,
}

/// The assessments of a file.
#[derive(Debug, Clone, Default)]
pub struct AssessmentSet {
    /// All lines, in the order of the file.
    pub lines: Vec<Assessment>,
    /// The media type of the file.
    pub media_type: &'static str,
    /// What is odd about the file.
    pub issues: Vec<Issue>,
}

impl AssessmentSet {
    /// Reads a table with the columns question, answer, verdict and, if there are several people, assessor.
    ///
    /// # Errors
    /// What [`Sheet::read`] says, and another word for a verdict.
    pub fn read(source: &Source) -> Result<Self> {
        let sheet = Sheet::read(source, &COLUMNS)?;
        let mut lines = Vec::with_capacity(sheet.lines.len());
        for row in sheet.lines {
            let [question, answer, written, assessor] = <[Option<String>; 4]>::try_from(row.fields)
                .unwrap_or_default()
                .map(Option::unwrap_or_default);
            let at = |error: Error| error.at(format!("line {}", row.line)).in_file(source.name());
            let verdict = verdict(&written).ok_or_else(|| {
                at(Error::input(format!("`{written}` is no verdict"))
                    .allowed("correct, incorrect, repeated, inexact"))
            })?;
            if question.is_empty() || answer.is_empty() {
                let missing = if question.is_empty() { "question" } else { "answer" };
                return Err(at(Error::input(format!("no {missing}"))
                    .allowed("the id of a question and the text of an answer; NIL for no answer")));
            }
            let assessor = Some(assessor).filter(|assessor| !assessor.is_empty());
            lines.push(Assessment { line: row.line, question, answer, verdict, assessor });
        }
        Ok(Self { lines, media_type: sheet.media_type, issues: sheet.issues })
    }
}

fn verdict(word: &str) -> Option<Verdict> {
    Verdict::ALL.into_iter().find(|verdict| verdict.name().eq_ignore_ascii_case(word))
}

/// A verdict on an answer and who says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vote {
    /// The number of the file among those that are used.
    pub file: usize,
    /// The line of the file.
    pub line: u64,
    /// Who says so; none where the file does not say.
    pub assessor: Option<String>,
    /// What they say.
    pub verdict: Verdict,
}

/// An answer with all that is said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessed {
    /// The text of the answer, trimmed.
    pub answer: String,
    /// The verdict that counts: of the majority; in a tie the more severe one.
    pub verdict: Verdict,
    /// Who says what, in the order of the files.
    pub votes: Vec<Vote>,
}

/// All assessments of an evaluation.
#[derive(Debug, Clone, Default)]
pub struct Assessments {
    by_question: BTreeMap<String, Vec<Assessed>>,
    people: Vec<(Option<usize>, Option<String>)>,
}

impl Assessments {
    /// Joins the assessments of files, each with its name for people. Two texts that say that there is no answer are one.
    ///
    /// # Errors
    /// Where a person gives one answer different verdicts.
    pub fn join(files: &[(&str, &AssessmentSet)], judging: Option<&Judging>) -> Result<Self> {
        let is_nil = |text: &str| judging.is_some_and(|judging| judging.is_nil(text));
        let is_same = |one: &str, other: &str| one == other || (is_nil(one) && is_nil(other));
        let mut all = Self::default();
        for (number, (name, set)) in files.iter().enumerate() {
            for line in &set.lines {
                all.add(number, line, &is_same)
                    .map_err(|(file, first)| contradiction((name, line), (files[file].0, first)))?;
            }
        }
        for assessed in all.by_question.values_mut().flatten() {
            assessed.verdict = decided(&assessed.votes);
        }
        all.people.sort_unstable();
        Ok(all)
    }

    /// Adds a line; where the same person said something else before, gives the file and the line of it.
    fn add(
        &mut self,
        file: usize,
        line: &Assessment,
        is_same: &impl Fn(&str, &str) -> bool,
    ) -> std::result::Result<(), (usize, u64)> {
        let vote = Vote { file, line: line.line, assessor: line.assessor.clone(), verdict: line.verdict };
        let person = vote.person();
        if !self.people.contains(&person) {
            self.people.push(person.clone());
        }
        let answers = self.by_question.entry(line.question.clone()).or_default();
        let Some(known) = answers.iter_mut().find(|known| is_same(&known.answer, &line.answer)) else {
            answers.push(Assessed { answer: line.answer.clone(), verdict: line.verdict, votes: vec![vote] });
            return Ok(());
        };
        match known.votes.iter().find(|before| before.person() == person) {
            Some(before) if before.verdict != line.verdict => return Err((before.file, before.line)),
            Some(_) => {}
            None => known.votes.push(vote),
        }
        Ok(())
    }

    /// The assessed answers to a question, in the order of their first assessment.
    pub fn of(&self, question: &str) -> &[Assessed] {
        self.by_question.get(question).map_or(&[], Vec::as_slice)
    }

    /// What is said about an answer, by its text.
    pub fn find(&self, question: &str, text: &str) -> Option<&Assessed> {
        let text = text.trim();
        self.of(question).iter().find(|assessed| assessed.answer == text)
    }

    /// All verdicts, a row an answer, a column a person.
    pub fn ratings(&self) -> Ratings {
        let of_person = |assessed: &Assessed, person: &(Option<usize>, Option<String>)| {
            assessed.votes.iter().find(|vote| vote.person() == *person).map(|vote| vote.verdict)
        };
        let row = |assessed: &Assessed| self.people.iter().map(|p| of_person(assessed, p)).collect();
        Ratings(self.by_question.values().flatten().map(row).collect())
    }

    /// Where people disagree: the number of the file of the last verdict, and an issue an answer.
    pub fn conflicts(&self) -> impl Iterator<Item = (usize, Issue)> {
        let all = self.by_question.iter().flat_map(|(question, all)| all.iter().map(move |a| (question, a)));
        let split =
            all.filter(|(_, assessed)| assessed.votes.iter().any(|v| v.verdict != assessed.votes[0].verdict));
        split.map(|(question, assessed)| {
            let said: Vec<String> = assessed.votes.iter().map(Vote::shown).collect();
            let message = format!(
                "{:?} is assessed as {}; {} counts",
                assessed.answer,
                said.join(", as "),
                assessed.verdict.name()
            );
            let last = &assessed.votes[assessed.votes.len() - 1];
            let place = Place { question: Some(question.clone()), ..Place::line(last.line) };
            (last.file, Issue::new(IssueCode::AssessorsDisagree, &place, message))
        })
    }
}

impl Vote {
    /// Who it is: by name, or the one person of a file without names.
    fn person(&self) -> (Option<usize>, Option<String>) {
        (self.assessor.is_none().then_some(self.file), self.assessor.clone())
    }

    /// The verdict, and who says so where the file says it.
    pub fn shown(&self) -> String {
        let verdict = self.verdict.name();
        self.assessor.as_ref().map_or_else(|| verdict.to_owned(), |name| format!("{verdict} by {name}"))
    }
}

/// The verdict of the majority; in a tie the more severe one. `Verdict` is ordered by severity, the severest first.
fn decided(votes: &[Vote]) -> Verdict {
    let count = |verdict: Verdict| votes.iter().filter(|vote| vote.verdict == verdict).count();
    // Of equal counts the last is taken.
    Verdict::ALL.into_iter().rev().max_by_key(|verdict| count(*verdict)).unwrap_or(Verdict::Incorrect)
}

fn contradiction((name, line): (&str, &Assessment), (other, first): (&str, u64)) -> Error {
    let who = line.assessor.as_ref().map_or_else(|| "the assessor".to_owned(), |name| format!("`{name}`"));
    let before = if name == other { format!("line {first}") } else { format!("line {first} of {other}") };
    Error::input(format!(
        "{who} calls {:?} {} here and something else in {before}",
        line.answer,
        line.verdict.name()
    ))
    .at(format!("line {}, question {}", line.line, line.question))
    .in_file(name)
    .allowed("one verdict of a person on an answer")
    .hint("if these are two people, a column `assessor` tells them apart")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, text: &str) -> Result<AssessmentSet> {
        AssessmentSet::read(&Source::from_bytes(name, text.as_bytes().to_vec())?)
    }

    fn joined(texts: &[&str]) -> Result<Assessments> {
        let sets: Vec<AssessmentSet> = texts.iter().map(|text| set("a.csv", text).unwrap()).collect();
        Assessments::join(&sets.iter().map(|set| ("a.csv", set)).collect::<Vec<_>>(), None)
    }

    #[test]
    fn the_majority_counts_and_a_tie_is_severe() {
        let all = joined(&["question,answer,verdict,assessor\n\
             1,x,correct,A\n1,x,incorrect,B\n1,x,Correct,C\n\
             1,y,correct,A\n1,y,incorrect,B\n\
             1,z,correct,A\n1,z,repeated,B\n\
             2, w ,repeated,A\n2,w,repeated,A\n"])
        .unwrap();
        let verdict = |question: &str, text: &str| all.find(question, text).unwrap().verdict;
        assert_eq!(verdict("1", " x"), Verdict::Correct);
        assert_eq!((verdict("1", "y"), verdict("1", "z")), (Verdict::Incorrect, Verdict::Repeated));
        assert_eq!(all.find("2", "w").unwrap().votes.len(), 1);
        assert!(all.find("2", "x").is_none());
        let conflicts: Vec<String> = all.conflicts().map(|(_, issue)| issue.message).collect();
        assert_eq!(
            conflicts[0],
            "\"x\" is assessed as correct by A, as incorrect by B, as correct by C; correct counts"
        );
        assert_eq!(conflicts.len(), 3);
        assert_eq!(
            all.ratings().0[0],
            [Some(Verdict::Correct), Some(Verdict::Incorrect), Some(Verdict::Correct)]
        );
    }

    #[test]
    fn files_without_names_are_two_people() {
        let one = "id;answer;verdict\n1;x;correct\n";
        let other = "id;answer;verdict\n1;x;incorrect\n";
        let all = joined(&[one, other]).unwrap();
        assert_eq!(all.ratings().0, [[Some(Verdict::Correct), Some(Verdict::Incorrect)]]);
        assert_eq!(all.find("1", "x").unwrap().verdict, Verdict::Incorrect);
    }

    #[test]
    fn bad_files() {
        let error = |text: &str| set("a.csv", text).unwrap_err();
        insta::assert_snapshot!(error("question,answer,assessor\n"), @r#"
        a.csv, line 1: no column `verdict`: the header is "question,answer,assessor".
        allowed: a header with question, answer, verdict, assessor (optional)
        "#);
        insta::assert_snapshot!(error("question,answer,verdict\n1,x,correct\n1,y,right\n"), @"
        a.csv, line 3: `right` is no verdict.
        allowed: correct, incorrect, repeated, inexact
        ");
        insta::assert_snapshot!(error("question,answer,verdict\n1,,correct\n"), @"
        a.csv, line 2: no answer.
        allowed: the id of a question and the text of an answer; NIL for no answer
        ");
        insta::assert_snapshot!(joined(&["question,answer,verdict\n1,x,correct\n1,x,incorrect\n"]).unwrap_err(), @r#"
        a.csv, line 3, question 1: the assessor calls "x" incorrect here and something else in line 2.
        allowed: one verdict of a person on an answer
        hint: if these are two people, a column `assessor` tells them apart
        "#);
    }
}
