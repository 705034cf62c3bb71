//! Why a table has no ensembles, no items, no groups, no curves of risk: nothing that was asked for is left out without a word.

use crate::record::comparison::ComparedTable;
use crate::record::comparison::settings::ComparisonSettings;
use crate::report::comparison::shown::{Shown, about, reason};
use crate::report::table::Table;
use crate::statistics::undefined::Undefined;

/// Why something is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Absent {
    /// For scripts.
    pub(super) code: &'static str,
    /// For people.
    pub(super) reason: &'static str,
}

/// There are no scores of single questions.
const NO_MEAN: Absent = Absent {
    code: "no-mean",
    reason: "the measure is no mean over questions: there are no scores of questions to look at",
};

/// Nobody says how sure it is.
pub(super) const NO_CONFIDENCES: Absent = Absent {
    code: "no-confidences",
    reason: "no answer has a confidence that the profile looks at: nobody says how sure it is",
};

/// No group is large enough, as its complement is.
pub(super) const SMALL_GROUPS: &str = "no group has ten questions inside and ten outside";

impl Absent {
    fn of(why: Undefined) -> Self {
        Self { code: why.code(), reason: reason(why) }
    }

    /// A sentence for people in place of the table; scripts find the reason in the JSON.
    pub(super) fn table(self, shown: Shown, table: &ComparedTable) -> Option<Table> {
        let title = format!("{}: {}", about(table), self.reason);
        (!shown.is_plain()).then(|| Table { title, ..Table::default() })
    }
}

/// Why there are no items.
pub(super) fn items(table: &ComparedTable) -> Option<Absent> {
    let why = match table.no_pairs {
        Some(why @ Undefined::NoCommonQuestions) => Absent::of(why),
        _ => NO_MEAN,
    };
    table.items.is_empty().then_some(why)
}

/// Why there are no ensembles.
pub(super) fn oracle(table: &ComparedTable) -> Option<Absent> {
    if table.ensembles.is_some() {
        return None;
    }
    let alone = Absent {
        code: Undefined::OneSystem.code(),
        reason: "fewer than two systems have a rank: there are no ensembles",
    };
    Some(items(table).unwrap_or(alone))
}

/// Why there are no curves of risk and coverage.
pub(super) fn risk(table: &ComparedTable) -> Option<Absent> {
    table.risk.is_empty().then(|| items(table).unwrap_or(NO_CONFIDENCES))
}

/// Why there are no groups, where they were asked for.
pub(super) fn groups(table: &ComparedTable, settings: &ComparisonSettings) -> Option<Absent> {
    let found = table.groups.as_ref();
    if !settings.groups || found.is_some_and(|groups| !groups.effects.is_empty() || !groups.pairs.is_empty())
    {
        return None;
    }
    Some(items(table).unwrap_or(Absent { code: Undefined::TooFewQuestions.code(), reason: SMALL_GROUPS }))
}
