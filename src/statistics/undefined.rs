//! Why something has no number: it is absent, and never 0.

/// Why something is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Undefined {
    /// An interval needs ten questions.
    TooFewQuestions,
    /// All resamples have one value.
    NoVariation,
    /// The measure is no function of sums over questions, or its numbers are too large for them.
    NotResampled,
    /// There is nobody to compare with.
    OneSystem,
}

impl Undefined {
    /// The word for scripts.
    pub fn code(self) -> &'static str {
        match self {
            Self::TooFewQuestions => "too-few-questions",
            Self::NoVariation => "no-variation",
            Self::NotResampled => "not-resampled",
            Self::OneSystem => "one-system",
        }
    }
}
