//! Why one system is better than another: the questions that decide, from what an archive has published.

use std::collections::BTreeSet;

use crate::base::error::{Error, Result};
use crate::base::watch::{Steps, Watcher};
use crate::measures::metric::Metric;
use crate::record::comparison::across::SystemComparison;
use crate::record::comparison::archived::again;
use crate::record::comparison::deciding::{DecidedTable, ExplainedDecision, deciding, faults};
use crate::record::comparison::{ComparedPair, ComparedTable};
use crate::record::results::Results;
use crate::record::results::kept::KeptGraphs;
use crate::record::results::published_sides::PublishedSides;
use crate::report::evaluations::scored_experiment;
use crate::workbench::Workbench;

/// What is to be explained of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct DecidingRequest<'a> {
    /// The names of two systems.
    pub systems: [&'a str; 2],
    /// Only tables by the profile of this name.
    pub profile: Option<&'a str>,
    /// Only tables of this experiment type.
    pub experiment: Option<&'a str>,
    /// The most questions of each table.
    pub most: usize,
}

impl Workbench {
    /// The comparison that a word means, by its IRI or the beginning of its key, made again from the graphs of its evaluations;
    /// nothing where it means none.
    ///
    /// # Errors
    /// Where it means several, or something of the comparison is not here.
    pub fn comparison(&self, word: &str) -> Result<Option<SystemComparison>> {
        let archived = self.archived()?;
        archived.comparison(word)?.map(|known| again(&archived, known)).transpose()
    }

    /// The questions that decide between two systems of a comparison, in each of its tables that has both: the largest
    /// differences first.
    ///
    /// # Errors
    /// Where no table has both; where a graph or a dataset is not here or cannot be read.
    pub fn decided(
        &self,
        comparison: &SystemComparison,
        request: &DecidingRequest<'_>,
        watcher: &dyn Watcher,
    ) -> Result<Vec<DecidedTable>> {
        let systems = request.systems;
        let evaluation = |table: &ComparedTable, name: &str| {
            let found = table.systems.iter().find(|one| one.system.eq_ignore_ascii_case(name));
            found.map(|one| (one.system.clone(), one.evaluation.clone()))
        };
        let both =
            |table: &ComparedTable| Some([evaluation(table, systems[0])?, evaluation(table, systems[1])?]);
        let is_wanted = |table: &&ComparedTable| {
            request.profile.is_none_or(|name| name == table.key.profile)
                && request.experiment.is_none_or(|name| name == table.key.experiment)
        };
        let wanted = || comparison.tables.iter().filter(is_wanted);
        if wanted().next().is_none() {
            let known: BTreeSet<String> = comparison
                .tables
                .iter()
                .map(|table| format!("{} {}", table.key.profile, table.key.experiment))
                .collect();
            let known: Vec<String> = known.into_iter().collect();
            return Err(Error::input("the comparison has no table by this profile, of this experiment type")
                .allowed(known.join(", ")));
        }
        let tables: Vec<_> = wanted().filter_map(|table| Some((table, both(table)?))).collect();
        if tables.is_empty() {
            let known = comparison.tables.iter().map(|table| {
                let names: Vec<&str> = table.systems.iter().map(|one| one.system.as_str()).collect();
                format!("{} ({} {})", names.join(", "), table.key.dataset, table.key.profile)
            });
            let text = format!("no table of the comparison has both `{}` and `{}`", systems[0], systems[1]);
            let known: BTreeSet<String> = known.collect();
            return Err(Error::input(text).allowed(known.into_iter().collect::<Vec<_>>().join("; ")));
        }
        let archived = self.archived()?;
        let kept = KeptGraphs::open(&archived.archive)?;
        let decided = |(table, [one, other]): (&ComparedTable, [(String, String); 2])| {
            let evaluations = [one.1, other.1];
            decided_table(&kept, table, [one.0, other.0], evaluations, request.most, watcher)
        };
        tables.into_iter().map(decided).collect()
    }
}

fn decided_table(
    kept: &KeptGraphs<'_>,
    table: &ComparedTable,
    systems: [String; 2],
    evaluations: [String; 2],
    most: usize,
    watcher: &dyn Watcher,
) -> Result<DecidedTable> {
    let results = [Results::read(kept, &evaluations[0])?, Results::read(kept, &evaluations[1])?];
    let experiment = &table.key.experiment;
    let types = [scored_experiment(&results[0], experiment)?, scored_experiment(&results[1], experiment)?];
    let metric = Metric::named(&table.key.measure)
        .ok_or_else(|| Error::check(format!("there is no measure `{}`", table.key.measure)))?;
    let (by, mut found) = deciding(metric, [(&results[0], types[0]), (&results[1], types[1])]);
    let differing = found.len();
    found.truncate(most);
    let steps = Steps::new(watcher, "explaining", found.len());
    let mut questions: Vec<ExplainedDecision> = Vec::new();
    for one in found {
        watcher.check()?;
        let key = &one.question.key;
        let explained = |evaluation: &str| {
            let results = Results::read_question(kept, evaluation, key)?;
            let told = PublishedSides::open(kept, &results, key)?.explanation(experiment, key)?;
            Ok::<_, Error>(faults(&told))
        };
        let both = [explained(&evaluations[0])?, explained(&evaluations[1])?];
        questions.push((one, both));
        steps.step();
    }
    let is_of_both = |pair: &&ComparedPair| {
        [&pair.a, &pair.b] == [&systems[0], &systems[1]] || [&pair.b, &pair.a] == [&systems[0], &systems[1]]
    };
    let pair = table.pairs.iter().find(is_of_both).cloned();
    Ok(DecidedTable { key: table.key.clone(), systems, evaluations, pair, by, differing, questions })
}
