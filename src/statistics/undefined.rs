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
    /// No question is common to all systems.
    NoCommonQuestions,
}

impl Undefined {
    /// The word for scripts.
    pub fn code(self) -> &'static str {
        match self {
            Self::TooFewQuestions => "too-few-questions",
            Self::NoVariation => "no-variation",
            Self::NotResampled => "not-resampled",
            Self::OneSystem => "one-system",
            Self::NoCommonQuestions => "no-common-questions",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::interval::IntervalMethod;
    use crate::statistics::randomisation::Computation;

    /// What is kept says the words that scripts are told.
    #[test]
    fn kept_words_are_those_of_scripts() {
        let kept = |word: serde_json::Result<String>| word.unwrap().trim_matches('"').to_owned();
        for one in [
            Undefined::TooFewQuestions,
            Undefined::NoVariation,
            Undefined::NotResampled,
            Undefined::OneSystem,
            Undefined::NoCommonQuestions,
        ] {
            assert_eq!(kept(serde_json::to_string(&one)), one.code());
        }
        for one in [IntervalMethod::Bca, IntervalMethod::Wilson, IntervalMethod::Expanded] {
            assert_eq!(kept(serde_json::to_string(&one)), one.name());
        }
        for one in [Computation::Exact, Computation::Sampled] {
            assert_eq!(kept(serde_json::to_string(&one)), one.name());
        }
    }
}
