//! Runs the queries of refreshed gold and of executed answers again on the pinned knowledge base of the archive.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::Arc;

use serde::Serialize;

use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::text;
use crate::kb::answered_by::AnsweredBy;
use crate::kb::ask::{Asker, Limits};
use crate::kb::base::KnowledgeBase;
use crate::kb::find::find;
use crate::kb::outcome::{Cause, Outcome};
use crate::kb::pool::Pool;
use crate::kb::snapshot::AnswerSnapshot;
use crate::record::verify::absent::AbsentPart;
use crate::record::verify::cause::FirstCause;
use crate::scoring::asked::executed::{ExecutedAnswers, QueryRun as ExecutedQuery};
use crate::scoring::asked::kept::KeptAnswers;
use crate::scoring::asked::refreshed::RefreshedGold;
use crate::sources::document::{Document, Question};

use crate::record::archived::Archived;
use crate::record::verify::inputs::ArchivedInputs;

/// What came of asking again.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reasked {
    /// What was asked for: `gold-answers` or `executed-answers`.
    pub what: &'static str,
    /// The knowledge base.
    pub knowledge_base: String,
    /// How many questions were asked; none: nobody was.
    #[serde(rename = "queries")]
    pub questions: Option<u64>,
    /// The questions that have other answers.
    #[serde(rename = "otherQuestions")]
    pub other: Vec<String>,
    /// The first cause.
    pub cause: Option<FirstCause>,
    /// What is not here.
    pub missing: Option<AbsentPart>,
    /// What is worth saying.
    #[serde(skip)]
    pub note: Option<String>,
}

/// Asks each knowledge base once for the same thing.
#[derive(Debug)]
pub struct Reasker<'a> {
    archived: &'a Archived,
    known: RefCell<BTreeMap<String, Arc<Reasked>>>,
}

impl<'a> Reasker<'a> {
    /// Nobody is asked yet.
    pub fn new(archived: &'a Archived) -> Self {
        Self { archived, known: RefCell::default() }
    }

    /// Asks again for the refreshed gold and the executed answers of an evaluation.
    pub fn ask(&self, inputs: &ArchivedInputs, mint: &Mint) -> Result<Vec<Arc<Reasked>>> {
        let (dataset, submission) = inputs.files();
        let (from, limit_ties) = (inputs.profile().answers_from, inputs.profile().gold.limit_ties);
        let mut all = Vec::new();
        if let Some(gold) = inputs.gold() {
            all.push(self.once("gold-answers", &gold.iri, &gold.kept, |asker, jobs| {
                let answered_by = || gold.kept.snapshot.answered_by.clone();
                let again =
                    RefreshedGold::ask(mint, (dataset, limit_ties), asker, answered_by, jobs, &|_| {})?;
                Ok(Others { decided: other_gold(gold, &again), ..Others::default() })
            })?);
        }
        if let Some(executed) = inputs.executed() {
            all.push(self.once("executed-answers", &executed.iri, &executed.kept, |asker, jobs| {
                let answered_by = || executed.kept.snapshot.answered_by.clone();
                let again = ExecutedAnswers::ask(mint, submission, from, asker, answered_by, jobs, &|_| {})?;
                Ok(again.map_or_else(Others::default, |again| other_executed(executed, &again)))
            })?);
        }
        Ok(all)
    }

    fn once(
        &self,
        what: &'static str,
        of: &str,
        kept: &KeptAnswers,
        run: impl FnOnce(&dyn Asker, NonZeroUsize) -> Result<Others>,
    ) -> Result<Arc<Reasked>> {
        let key = format!("{what} {of} {}", kept.source.sha256());
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(Arc::clone(known));
        }
        let reasked = Arc::new(Reasked { what, ..self.run(&kept.snapshot, run)? });
        self.known.borrow_mut().insert(key, Arc::clone(&reasked));
        Ok(reasked)
    }

    fn run(
        &self,
        snapshot: &AnswerSnapshot,
        run: impl FnOnce(&dyn Asker, NonZeroUsize) -> Result<Others>,
    ) -> Result<Reasked> {
        let archive = &self.archived.archive;
        let (iri, digest) = match &snapshot.answered_by {
            AnsweredBy::Snapshot { iri, digest } => (iri, digest),
            AnsweredBy::Endpoint { url, time } => {
                let note = format!("the endpoint {url} answered at {time}; it was not asked again");
                return Ok(Reasked { knowledge_base: url.clone(), note: Some(note), ..Reasked::default() });
            }
        };
        let mut reasked = Reasked { knowledge_base: iri.clone(), ..Reasked::default() };
        let Ok(base) = find(archive, iri) else {
            reasked.missing = Some(AbsentPart::told(format!("the knowledge base <{iri}> is not here")));
            return Ok(reasked);
        };
        if let Some(there) = &base.served {
            let note = format!(
                "{} is on the server {}, which was not asked again; its answers are in the archive",
                base.label(),
                there.address
            );
            reasked.note = Some(note);
            return Ok(reasked);
        }
        let is_here = |sha256: &str| archive.file(sha256).is_file();
        if let Some(file) = base.files.iter().find(|file| !is_here(&file.sha256)) {
            let path = archive.file(&file.sha256);
            let told = format!("the knowledge base <{iri}>: {} is not here", text::path(&path));
            reasked.missing = Some(AbsentPart::of(&file.sha256, told));
            return Ok(reasked);
        }
        // What verify answers for are the archived files, not a store that was made of them.
        let pool = Pool::of_files(&base, archive, Limits::default(), jobs())?;
        let asker = Patient { pool, snapshot };
        let Others { decided, undecided } = run(&asker, jobs())?;
        reasked.other = decided;
        reasked.note = (!undecided.is_empty()).then(|| {
            let questions = undecided.join(", ");
            format!("other answers where the data do not decide them, which is no difference: {questions}")
        });
        reasked.questions = Some(snapshot.entries.len() as u64);
        reasked.cause = self.cause(&base, iri, digest, &reasked.other);
        Ok(reasked)
    }

    /// Why answers may be others: a file has other bytes, or the whole is another version.
    fn cause(&self, base: &KnowledgeBase, iri: &str, digest: &str, other: &[String]) -> Option<FirstCause> {
        let archive = &self.archived.archive;
        if let Some((file, found)) = base.changed_file(archive) {
            let path = text::path(&archive.file(&file.sha256));
            let found = found.unwrap_or_default();
            return Some(FirstCause::other_input("knowledge base", &path, &file.sha256, &found));
        }
        if base.digest() != digest {
            return Some(FirstCause::other_input("knowledge base", iri, digest, &base.digest()));
        }
        (!other.is_empty()).then(|| FirstCause::other_answers(iri, other))
    }
}

fn jobs() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// A knowledge base that is not asked what it could not answer within the limits of another day.
struct Patient<'a> {
    pool: Pool,
    snapshot: &'a AnswerSnapshot,
}

impl Asker for Patient<'_> {
    fn ask(&self, query: &str) -> Result<Outcome> {
        let recorded = self.snapshot.outcome(query);
        match recorded {
            Some(outcome) if met_limit(outcome) => Ok(outcome.clone()),
            _ => {
                let outcome = self.pool.ask(query)?;
                // A slower machine is no other knowledge base.
                Ok(recorded.filter(|_| met_limit(&outcome)).cloned().unwrap_or(outcome))
            }
        }
    }
}

fn met_limit(outcome: &Outcome) -> bool {
    outcome.cause().is_some_and(Cause::is_limit)
}

/// The questions whose refreshed gold is not the same.
fn other_gold(old: &RefreshedGold, new: &RefreshedGold) -> Vec<String> {
    let mut other = other_answers(&old.document, &new.document);
    let statuses = old.questions.iter().zip(&new.questions).zip(&old.document.questions);
    let changed = statuses.filter(|((old, new), _)| old.status != new.status);
    other.extend(changed.map(|(_, question)| question.key.clone()));
    other.sort_unstable();
    other.dedup();
    other
}

/// The questions that have other answers now.
#[derive(Default)]
struct Others {
    /// Those whose answers the data decide.
    decided: Vec<String>,
    /// Those whose answers they do not: `RAND()`, `NOW()`, a tie at `LIMIT`.
    undecided: Vec<String>,
}

fn other_executed(old: &ExecutedAnswers, new: &ExecutedAnswers) -> Others {
    let other = other_answers(&old.document, &new.document);
    let executions = old.document.questions.iter().zip(&old.answers);
    let is_undecided =
        |execution: &Option<ExecutedQuery>| execution.as_ref().is_some_and(|one| one.undecided.is_some());
    let undecided: BTreeSet<&str> =
        executions.filter(|(_, one)| is_undecided(one)).map(|(question, _)| question.key.as_str()).collect();
    let (undecided, decided) = other.into_iter().partition(|key| undecided.contains(key.as_str()));
    Others { decided, undecided }
}

fn other_answers(old: &Document, new: &Document) -> Vec<String> {
    let is_other = |(old, new): &(&Question, &Question)| old.answers != new.answers || old.error != new.error;
    let pairs = old.questions.iter().zip(&new.questions);
    pairs.filter(is_other).map(|(question, _)| question.key.clone()).collect()
}
