//! Gold answers that nobody states, and those that the data do not decide: what a profile makes of them.

use crate::base::error::Result;
use crate::profiles::ontology::Facts;
use crate::profiles::rules::choice;

/// What a profile makes of refreshed gold whose query takes some of several rows that tie.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LimitTies {
    /// The data do not decide its answers.
    #[default]
    Undecided,
    /// As many of them as it takes are right, whichever (`code:limit-ties-all-right`).
    AllRight,
}

/// What a profile makes of gold answers that are none. All of it is a choice: a profile that says nothing does nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GoldRules {
    /// Whether a question is not scored where the gold file says nothing about its answer, or something that cannot be
    /// read (`code:unstated-gold-not-scored`); else that counts as an empty answer.
    pub skips_unstated: bool,
    /// Whether, with refreshed gold, a question is not scored whose query has no answers or none that the data decide
    /// (`code:undecided-gold-not-scored`); else the curated answers stay.
    pub skips_undecided: bool,
    /// What becomes of ties at LIMIT and OFFSET.
    pub limit_ties: LimitTies,
}

impl GoldRules {
    /// What a profile says.
    pub(crate) fn read(facts: &Facts, profile: &str) -> Result<Self> {
        let chosen = |name: &str, concept: &str| choice(facts, profile, name, &[(concept, true)]);
        let limit_ties =
            choice(facts, profile, "limitTies", &[("limit-ties-all-right", LimitTies::AllRight)])?;
        Ok(Self {
            limit_ties: limit_ties.unwrap_or_default(),
            skips_unstated: chosen("unstatedGold", "unstated-gold-not-scored")?.unwrap_or_default(),
            skips_undecided: chosen("undecidedGold", "undecided-gold-not-scored")?.unwrap_or_default(),
        })
    }
}
