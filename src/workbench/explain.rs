//! Showing how questions were scored, from what an archive has published.

use crate::base::error::Result;
use crate::base::watch::Watcher;
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::asking::{AskingFacts, KeptExchange};
use crate::record::keep;
use crate::record::results::Results;
use crate::record::results::explanation::Explanation;
use crate::record::results::kept::KeptGraphs;
use crate::record::results::published_sides::PublishedSides;
use crate::record::verify::inputs::ArchivedInputs;
use crate::report::evaluations::scored_experiment;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::groups::{Grouping, is_headline};
use crate::workbench::Workbench;

impl Workbench {
    /// The results of an evaluation as its graphs in the archive tell them: nothing is scored again. `word` is the IRI of
    /// the evaluation, the beginning of its key or the name of its system; `profile` the name of the profile, where the
    /// system was evaluated with several.
    ///
    /// # Errors
    /// Where no evaluation, or several, are called so; where a graph or the dataset is not here or cannot be read.
    pub fn published(&self, word: &str, profile: Option<&str>) -> Result<Results> {
        let archived = self.archived()?;
        let known = archived.find_with(word, profile)?;
        Results::read(&KeptGraphs::open(&archived.archive)?, &known.iri)
    }

    /// The same with the aggregates over all groups of questions: where nobody has kept them, the evaluation is computed
    /// again, and they are left out where that is not possible.
    ///
    /// # Errors
    /// As [`Workbench::published`].
    pub fn published_with_groups(
        &self,
        word: &str,
        profile: Option<&str>,
        watcher: &dyn Watcher,
    ) -> Result<Results> {
        let archived = self.archived()?;
        let known = archived.find_with(word, profile)?;
        let mut results = Results::read(&KeptGraphs::open(&archived.archive)?, &known.iri)?;
        if !results.experiments.iter().flat_map(|one| &one.groups).all(|group| is_headline(&group.name)) {
            return Ok(results);
        }
        match self.computed(&archived, known, Grouping::Shown, watcher) {
            Ok(evaluation) => results.with_groups_of(Results::numbers_of(&evaluation)),
            Err(error) => watcher.note(&format!("note: without groups of questions: {error}")),
        }
        Ok(results)
    }

    /// How a question of an evaluation was scored in an experiment type, called as in [`Workbench::published`]. Where graphs
    /// do not tell all of it, which [`Explanation`] says, the evaluation is computed again.
    ///
    /// # Errors
    /// As [`Workbench::published`]; where there is no such question or experiment type.
    pub fn explain(
        &self,
        (word, profile): (&str, Option<&str>),
        (experiment, question): (&str, &str),
        watcher: &dyn Watcher,
    ) -> Result<Explanation> {
        let archived = self.archived()?;
        let known = archived.find_with(word, profile)?;
        let kept = KeptGraphs::open(&archived.archive)?;
        let results = Results::read_question(&kept, &known.iri, question)?;
        scored_experiment(&results, experiment)?;
        let told = PublishedSides::open(&kept, &results, question)?.explanation(experiment, question)?;
        if told.is_complete() {
            return Ok(told);
        }
        let evaluation = self.computed(&archived, known, Grouping::Headline, watcher)?;
        Explanation::of(&evaluation, &Results::numbers_of(&evaluation), experiment, question)
    }

    /// What is kept of asking a live system a question; nothing where none was asked, or the exchanges are not here. Called as
    /// in [`Workbench::published`].
    ///
    /// # Errors
    /// Where no evaluation, or several, are called so; where a record or the exchanges are damaged.
    pub fn exchange_about(
        &self,
        (word, profile): (&str, Option<&str>),
        question: &str,
    ) -> Result<KeptExchange> {
        let archived = self.archived()?;
        let known = archived.find_with(word, profile)?;
        let archive = &archived.archive;
        let records = AskingFacts::all(archive)?;
        let is_here = |one: &&AskingFacts| one.submission == known.answers && one.is_readable(archive);
        let record = records.iter().find(is_here);
        record.map_or_else(|| Ok(KeptExchange::default()), |record| record.exchange_about(archive, question))
    }

    /// An evaluation of the archive, computed again with all groups of questions, called as in [`Workbench::published`]. Says where the scores are not
    /// those that were recorded.
    ///
    /// # Errors
    /// Where no evaluation, or several, are called so; where an input is not here or cannot be read.
    pub fn again(&self, word: &str, profile: Option<&str>, watcher: &dyn Watcher) -> Result<Evaluation> {
        let archived = self.archived()?;
        self.computed(&archived, archived.find_with(word, profile)?, Grouping::Shown, watcher)
    }

    fn computed(
        &self,
        archived: &Archived,
        known: &ArchivedEvaluation,
        wanted: Grouping,
        watcher: &dyn Watcher,
    ) -> Result<Evaluation> {
        let evaluation = ArchivedInputs::read(archived, known, &self.mint)?.evaluate(&self.mint, wanted)?;
        let scores = keep::digests(&self.mint, &evaluation)?;
        let scores = scores.scores();
        if let Some((execution, digest)) = known.digests.iter().find(|(_, digest)| *digest != scores) {
            watcher.note(&format!(
                "warning: {execution} has scores with the digest {digest}, this program computes {scores}"
            ));
        }
        Ok(evaluation)
    }
}
