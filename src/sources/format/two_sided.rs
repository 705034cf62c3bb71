//! Files that are a gold standard and a submission at once: which side is read is a matter of what the file is given for.

use crate::sources::format::json::{jsonl, predictions, question_list, spinach};
use crate::sources::format::Format;

/// A format whose files may have both sides.
struct TwoSided {
    /// The format that recognises the file, and reads it as a gold standard.
    gold: &'static Format,
    /// How it is read as a submission.
    system: &'static Format,
    /// Whether a file of the format has both sides.
    has_both: fn(&[u8]) -> bool,
}

static TWO_SIDED: [TwoSided; 3] = [
    TwoSided { gold: &spinach::GOLD, system: &spinach::PREDICTED, has_both: |_| true },
    TwoSided { gold: &question_list::FORMAT, system: &predictions::LIST, has_both: predictions::predicts_in_list },
    TwoSided { gold: &jsonl::FORMAT, system: &predictions::LINES, has_both: predictions::predicts_in_lines },
];

/// How a file, recognised as of this format, is read as a submission.
pub(crate) fn as_submission(format: &'static Format, content: &[u8]) -> &'static Format {
    let found = TWO_SIDED.iter().find(|one| one.gold.name == format.name && (one.has_both)(content));
    found.map_or(format, |one| one.system)
}
