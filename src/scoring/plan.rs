//! How submissions are scored: a profile with the choices of the user and the references that it uses, ready for use.

use std::sync::Arc;

use crate::base::error::Result;
use crate::kb::remote::RemoteStore;
use crate::measures::metric::{Metric, at_ranks};
use crate::profiles::Profile;
use crate::profiles::choices::{CHOICES, Choice, Choices};
use crate::profiles::loaders::Loading;
use crate::references::{ReferenceInput, ReferenceKind};
use crate::scoring::references::References;

/// How submissions are scored. Made once for many of them.
#[derive(Debug)]
pub struct Plan {
    /// The profile.
    pub profile: Arc<Profile>,
    /// The choices of the user.
    pub choices: Arc<Choices>,
    /// What is referred to beside the two files.
    pub references: References,
    /// The server that runs the match queries; none: they run here. No number depends on it.
    pub remote: Option<Arc<RemoteStore>>,
}

impl Plan {
    /// Closes links, indexes labels, classes and types.
    ///
    /// # Errors
    /// Where a file of links cannot be read again, or assessments contradict each other in a file.
    pub fn new(
        profile: Arc<Profile>,
        choices: Arc<Choices>,
        references: &[Arc<ReferenceInput>],
    ) -> Result<Self> {
        let references = References::new(&profile, &choices, references)?;
        Ok(Self { profile, choices, references, remote: None })
    }

    /// The same with the match queries on a server.
    #[must_use]
    pub fn matching_on(self, remote: Option<Arc<RemoteStore>>) -> Self {
        Self { remote, ..self }
    }

    /// The language of the questions, where the user named one.
    pub fn language(&self) -> Option<&str> {
        self.choices.language.as_deref()
    }

    /// How the gold file is loaded.
    pub fn loading(&self) -> Loading<'_> {
        self.choices.loading(&self.profile)
    }

    /// The ranks that the user chose, where the profile has a measure that looks at one.
    pub fn cutoffs(&self) -> &[u64] {
        let cutoffs = &self.choices.cutoffs[..];
        if cutoffs.is_empty() || self.profile.looks_at_ranks() { cutoffs } else { &[] }
    }

    /// Metrics of the profile with the ranks that the user chose.
    pub fn metrics(&self, of_profile: &[Metric]) -> Vec<Metric> {
        at_ranks(of_profile, self.cutoffs())
    }

    /// Whether the user wants all experiment types that the profile scores.
    pub(crate) fn wants_all(&self) -> bool {
        self.profile.experiments.iter().all(|rules| self.choices.wants(&rules.name))
    }

    /// What was chosen, as far as it is worth stating: what re-execution needs to know besides the files.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static Choice, Vec<String>)> {
        let has_links = self.references.of(ReferenceKind::Links).next().is_some();
        CHOICES.iter().map(move |choice| (choice, choice.stated(&self.choices, &self.profile, has_links)))
    }
}
