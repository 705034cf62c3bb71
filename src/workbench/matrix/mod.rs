//! A matrix of evaluations: what is there is skipped, what fails is told and the others go on.

pub mod file;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::parallel;
use crate::base::watch::{Steps, Watcher, WithinStep};
use crate::kb::allowance::Allowance;
use crate::kb::remote::StoreAddress;
use crate::profiles::own::is_file;
use crate::record::archived::{Archived, ArchivedEvaluation, profile_name};
use crate::workbench::Workbench;
use crate::workbench::evaluate::SubmissionFile;
use crate::workbench::matrix::file::{Condition, Matrix, MatrixDataset};
use crate::workbench::request::Request;

/// A part of the cells: every `of`th one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// All of them.
    pub const ALL: Self = Self { number: 1, of: 1 };

    /// `3/16`: the third of sixteen.
    ///
    /// # Errors
    /// Where it is none.
    pub fn parse(word: &str) -> Result<Self> {
        let numbers =
            word.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err(Error::input(format!("`{word}` is no shard")).allowed("NUMBER/OF from 1, such as 3/16")),
        }
    }

    fn has(self, cell: usize) -> bool {
        cell % self.of == self.number % self.of
    }
}

/// How a matrix is worked on.
#[derive(Debug, Clone)]
pub struct MatrixWork {
    /// The part of it.
    pub shard: Shard,
    /// Nothing is scored: what would be is told.
    pub is_dry: bool,
    /// How many groups of cells are worked on at the same time.
    pub jobs: usize,
    /// How much a query may use.
    pub allowance: Allowance,
    /// Which server matches, in place of the embedded store.
    pub store: Option<StoreAddress>,
}

/// What came of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellState {
    /// It was scored and kept now.
    Kept,
    /// The archive had it.
    There,
    /// It would be scored.
    ToDo,
    /// It could not be scored.
    Failed,
}

impl CellState {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::There => "there",
            Self::ToDo => "to do",
            Self::Failed => "failed",
        }
    }
}

/// A cell of a matrix: a system, scored with a profile under a condition.
#[derive(Debug, Clone, Serialize)]
pub struct ScoredCell {
    /// Its number, from 1, in the order of datasets, conditions, profiles and systems.
    pub cell: usize,
    /// The gold standard.
    pub gold: PathBuf,
    /// The file of answers.
    pub answers: PathBuf,
    /// The name that the matrix gives the system.
    pub system: Option<String>,
    /// The profile.
    pub profile: String,
    /// The condition.
    pub condition: String,
    /// What came of it.
    pub state: CellState,
    /// The IRIs of its evaluations: two, where curated and refreshed gold answers count.
    pub evaluations: Vec<String>,
    /// Why it failed.
    pub cause: Option<String>,
}

/// Cells that differ in the system only: what they share is read once.
struct CellBatch<'m> {
    dataset: &'m MatrixDataset,
    condition: &'m Condition,
    profile: &'m str,
    /// The number of each cell and its answers.
    systems: Vec<(usize, &'m SubmissionFile)>,
}

impl Matrix {
    /// The cells of a shard, in their order. Where somebody is asked, each stands alone: what is asked for must not depend on the
    /// shard.
    fn batches(&self, shard: Shard) -> Vec<CellBatch<'_>> {
        let (mut batches, mut cell) = (Vec::new(), 0);
        for dataset in &self.datasets {
            for condition in &self.conditions {
                for profile in &self.profiles {
                    let numbered = dataset.systems.iter().map(|system| {
                        cell += 1;
                        (cell, system)
                    });
                    let systems: Vec<_> = numbered.filter(|(cell, _)| shard.has(*cell)).collect();
                    let size = if condition.asks() { 1 } else { systems.len().max(1) };
                    batches.extend(systems.chunks(size).map(|systems| CellBatch {
                        dataset,
                        condition,
                        profile,
                        systems: systems.to_vec(),
                    }));
                }
            }
        }
        batches
    }
}

impl Workbench {
    /// Works on the cells of a matrix and gives what came of each, in their order. Evaluations that the archive has are
    /// skipped: whoever was interrupted goes on. A cell that fails does not keep the others from being scored.
    ///
    /// # Errors
    /// Where the archive cannot be read; where the watcher no longer wants it.
    pub fn matrix(
        &self,
        matrix: &Matrix,
        work: &MatrixWork,
        watcher: &dyn Watcher,
    ) -> Result<Vec<ScoredCell>> {
        let known = Known::read(self)?;
        let batches = matrix.batches(work.shard);
        let steps = Steps::new(watcher, "matrix", batches.iter().map(|batch| batch.systems.len()).sum());
        let within = WithinStep(watcher);
        let mut cells = Vec::new();
        let mut batches = batches.into_iter();
        while batches.len() > 0 {
            let some: Vec<CellBatch<'_>> = batches.by_ref().take(work.jobs.max(1)).collect();
            let done = parallel::try_each(some, |batch| {
                watcher.check()?;
                let done = self.batch(&batch, work, &known, &within)?;
                for _ in &done {
                    steps.step();
                }
                Ok(done)
            });
            cells.extend(done?.into_iter().flatten());
        }
        drop(steps);
        cells.sort_by_key(|cell| cell.cell);
        Ok(cells)
    }

    fn batch(
        &self,
        batch: &CellBatch<'_>,
        work: &MatrixWork,
        known: &Known,
        watcher: &dyn Watcher,
    ) -> Result<Vec<ScoredCell>> {
        let cell = |(number, file): (usize, &SubmissionFile), state| ScoredCell {
            cell: number,
            gold: batch.dataset.gold.clone(),
            answers: file.path.clone(),
            system: file.system.clone(),
            profile: batch.profile.to_owned(),
            condition: batch.condition.name.clone(),
            state,
            evaluations: Vec::new(),
            cause: None,
        };
        let (mut cells, mut open) = (Vec::new(), Vec::new());
        let gold = (!known.0.is_empty()).then(|| self.sum(&batch.dataset.gold).ok()).flatten();
        for system in &batch.systems {
            let there = self.there((batch, gold.as_deref()), system.1, work, known, watcher);
            match there {
                Ok(Some(evaluations)) => {
                    cells.push(ScoredCell { evaluations, ..cell(*system, CellState::There) });
                }
                _ if work.is_dry => cells.push(cell(*system, CellState::ToDo)),
                _ => open.push(*system),
            }
        }
        let mut scored = self.scored(batch, &open, work, watcher);
        if open.len() > 1 && scored.is_err() {
            // Which of them it is, and what the others give.
            let each = open.iter().map(|one| self.scored(batch, std::slice::from_ref(one), work, watcher));
            let each: Vec<Result<Vec<Vec<String>>>> = each.collect();
            for (system, result) in open.iter().zip(each) {
                cells.push(outcome(
                    cell(*system, CellState::Failed),
                    result.map(|mut all| all.swap_remove(0)),
                )?);
            }
            return Ok(cells);
        }
        for (at, system) in open.iter().enumerate() {
            let result = match &mut scored {
                Ok(all) => Ok(std::mem::take(&mut all[at])),
                Err(_) => std::mem::replace(&mut scored, Ok(Vec::new())).map(|_| Vec::new()),
            };
            cells.push(outcome(cell(*system, CellState::Failed), result)?);
        }
        Ok(cells)
    }

    /// Scores answers; gives the IRIs of the evaluations of each.
    fn scored(
        &self,
        batch: &CellBatch<'_>,
        systems: &[(usize, &SubmissionFile)],
        work: &MatrixWork,
        watcher: &dyn Watcher,
    ) -> Result<Vec<Vec<String>>> {
        let mut iris = vec![Vec::new(); systems.len()];
        if systems.is_empty() {
            return Ok(iris);
        }
        let request = batch.condition.request(batch.profile, &work.allowance)?;
        let request = Request { store: work.store.clone(), ..request };
        let files: Vec<SubmissionFile> = systems.iter().map(|(_, file)| (*file).clone()).collect();
        let done = self.evaluate(&request, &batch.dataset.gold, &files, watcher)?;
        done.kept?;
        for (number, evaluation) in done.evaluations.into_iter().enumerate() {
            iris[number % systems.len()].push(evaluation.iri);
        }
        Ok(iris)
    }

    /// The checksum of a file.
    fn sum(&self, path: &Path) -> Result<String> {
        Ok(self.open(path, None)?.sha256().to_owned())
    }

    /// The evaluations of a cell, where the archive has all of them, with the checksum of its gold standard.
    fn there(
        &self,
        (batch, gold): (&CellBatch<'_>, Option<&str>),
        file: &SubmissionFile,
        work: &MatrixWork,
        known: &Known,
        watcher: &dyn Watcher,
    ) -> Result<Option<Vec<String>>> {
        let Some(gold) = gold else { return Ok(None) };
        if !known.may_have(gold, &self.sum(&file.path)?, batch.profile) {
            return Ok(None);
        }
        let request = batch.condition.request(batch.profile, &work.allowance)?;
        let named = self.named(&request, &batch.dataset.gold, file, watcher)?;
        let has = |(iri, system): &(String, String)| {
            known.0.get(iri).is_some_and(|one| one.systems().any(|one| one == system))
        };
        Ok(named.iter().all(has).then(|| named.into_iter().map(|(iri, _)| iri).collect()))
    }
}

fn outcome(cell: ScoredCell, result: Result<Vec<String>>) -> Result<ScoredCell> {
    match result {
        Ok(evaluations) => Ok(ScoredCell { state: CellState::Kept, evaluations, ..cell }),
        Err(error) if error.kind() == ErrorKind::Cancelled => Err(error),
        Err(error) => Ok(ScoredCell { state: CellState::Failed, cause: Some(error.to_string()), ..cell }),
    }
}

/// The evaluations that the archive had at the beginning, by their IRIs.
struct Known(BTreeMap<String, ArchivedEvaluation>);

impl Known {
    fn read(bench: &Workbench) -> Result<Self> {
        if !bench.root().join("records").is_dir() {
            return Ok(Self(BTreeMap::new()));
        }
        let Archived { evaluations, .. } = bench.archived()?;
        Ok(Self(evaluations.into_iter().map(|one| (one.iri.clone(), one)).collect()))
    }

    /// Whether there is an evaluation of these files: only then it pays to find out what the one that is wanted is called.
    fn may_have(&self, gold: &str, answers: &str, profile: &str) -> bool {
        // A profile of a user's own is known by its file only.
        let is_own = is_file(profile);
        let is_wanted = |one: &ArchivedEvaluation| is_own || profile_name(&one.profile) == profile;
        self.0.values().any(|one| one.gold == gold && one.answers == answers && is_wanted(one))
    }
}
