//! What came of the questions of a dataset version in all evaluations on it, side by side. It is read once for all of its
//! questions.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::error::Result;
use crate::base::iri;
use crate::base::text::counted;
use crate::record::archived::{Archived, ArchivedEvaluation, profile_name};
use crate::record::summaries::kept::SummaryReader;
use crate::record::summaries::{QuestionSummaries, QuestionSummary, Summary};
use crate::report::evaluations::DIGITS_FOR_PEOPLE;
use crate::site::context::PageContext;
use crate::site::evaluation::outcome::QuestionFate;
use crate::site::page::{PagePiece, PageSheet, SheetCell, SheetHead, SheetRow, Words};

/// So many evaluations stand side by side on a page.
const MOST: usize = 50;

/// The column of an evaluation, how a question fell in it, and its F1.
type SideCell = (usize, QuestionFate, Option<Box<str>>);

/// All evaluations on a dataset version.
#[derive(Debug, Default)]
pub(crate) struct SideBySide {
    /// The IRI of the dataset version.
    dataset: String,
    columns: Vec<SideColumn>,
    /// By the ids of questions.
    questions: BTreeMap<String, Vec<SideCell>>,
}

/// An experiment type of an evaluation.
#[derive(Debug)]
struct SideColumn {
    evaluation: String,
    system: String,
    profile: String,
    experiment: String,
}

/// What stands in a table.
pub(crate) struct SideChoice<'c> {
    /// The name of the table on its page.
    pub(crate) id: &'c str,
    /// The experiment type; without one all.
    pub(crate) experiment: Option<&'c str>,
    /// The IRI of the profile; without one all.
    pub(crate) profile: Option<&'c str>,
    /// Whether an evaluation is shown, by its IRI.
    pub(crate) is_shown: &'c dyn Fn(&str) -> bool,
}

impl SideBySide {
    /// Reads the evaluations.
    ///
    /// # Errors
    /// Where one of them cannot be read.
    pub(crate) fn read(archived: &Archived, all: &[&ArchivedEvaluation]) -> Result<Self> {
        let (mut read, summaries) = (Self::default(), SummaryReader::new(archived));
        for one in all {
            let (summary, questions) = summaries.summary(one)?;
            let systems: Vec<&str> = one.systems().map(String::as_str).collect();
            read.add(&summary, &questions, &systems.join(", "));
        }
        Ok(read)
    }

    fn add(&mut self, summary: &Summary, questions: &QuestionSummaries, system: &str) {
        self.dataset.clone_from(&summary.dataset);
        for types in &summary.experiments {
            let column = self.columns.len();
            self.columns.push(SideColumn {
                evaluation: summary.evaluation.clone(),
                system: system.to_owned(),
                profile: summary.profile.clone(),
                experiment: types.name.clone(),
            });
            for (key, found) in questions.experiment(&types.name).into_iter().flatten() {
                let cell = match &found {
                    QuestionSummary::Scored(status, counts, f1) => {
                        let fate = QuestionFate::scored(*status, *counts, f1);
                        (column, fate, Some(f1.to_fixed(DIGITS_FOR_PEOPLE).into()))
                    }
                    QuestionSummary::Skipped(_) => (column, QuestionFate::Skipped, None),
                };
                match self.questions.get_mut(key) {
                    Some(cells) => cells.push(cell),
                    None => drop(self.questions.insert(key.to_owned(), vec![cell])),
                }
            }
        }
    }

    /// How many systems there are in the main experiment type by the first profile, and how many of them answer each question
    /// completely.
    pub(crate) fn solved(&self) -> (usize, &str, BTreeMap<&str, usize>) {
        let Some(first) = self.columns.first() else { return (0, "", BTreeMap::new()) };
        let is_main = |one: &SideColumn| one.experiment == first.experiment && one.profile == first.profile;
        let all: BTreeSet<&str> =
            self.columns.iter().filter(|one| is_main(one)).map(|one| one.system.as_str()).collect();
        let solved = self.questions.iter().map(|(key, cells)| {
            let right = cells.iter().filter(|(_, fate, _)| *fate == QuestionFate::Right);
            let columns = right.map(|(column, ..)| &self.columns[*column]).filter(|one| is_main(one));
            (key.as_str(), columns.map(|one| one.system.as_str()).collect::<BTreeSet<_>>().len())
        });
        (all.len(), profile_name(&first.profile), solved.collect())
    }

    /// The table of a question; nothing where no evaluation is shown.
    pub(crate) fn table(
        &self,
        context: &PageContext<'_>,
        question: &str,
        choice: &SideChoice<'_>,
    ) -> Option<PagePiece> {
        let is_shown = |one: &SideColumn| {
            choice.experiment.is_none_or(|known| one.experiment == known)
                && choice.profile.is_none_or(|known| one.profile == known)
                && (choice.is_shown)(&one.evaluation)
        };
        let cells = self.questions.get(question)?.iter();
        let shown: Vec<_> = cells.filter(|(column, ..)| is_shown(&self.columns[*column])).collect();
        let row = |(column, fate, f1): &&SideCell| {
            let one = &self.columns[*column];
            let node = iri::observation(&one.evaluation, &one.experiment, question);
            let name = Words::foreign(&one.system);
            let name = if f1.is_some() { context.link_to(name, &node) } else { name };
            SheetRow::from(vec![
                name.into(),
                context.link_to(Words::foreign(profile_name(&one.profile)), &one.profile).into(),
                Words::plain(&one.experiment).into(),
                fate.tag().into(),
                SheetCell::number(f1.as_deref().unwrap_or("–")),
            ])
        };
        let more = shown.len().saturating_sub(MOST) as u64;
        let caption = if more > 0 {
            format!("F1 of this question. Not shown: {}.", counted(more, "row"))
        } else {
            "F1 of this question.".to_owned()
        };
        let node = iri::question(&self.dataset, question);
        let query = context.asked_of("question-systems", "questionIri", &node);
        let heads = ["System", "Profile", "Type", "Outcome"].map(SheetHead::text);
        let table = PageSheet {
            id: choice.id.to_owned(),
            caption: vec![Words::plain(&caption)],
            heads: heads.into_iter().chain([SheetHead::number(Words::plain("F1"))]).collect(),
            rows: shown.iter().take(MOST).map(row).collect(),
            ..PageSheet::default()
        }
        .with_query(query);
        (!table.rows.is_empty()).then_some(PagePiece::Sheet(table))
    }
}
