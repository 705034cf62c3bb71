//! How far systems are from right on what they are most sure of, where they say how sure they are. It follows from what the
//! graphs of evaluations say of single answers; that of a comparison does not repeat it.

use crate::measures::fraction::Fraction;
use crate::record::results::decimal::Decimal;
use crate::record::results::{JudgedAnswer, Observation};
use crate::statistics::risk::{RatedQuestion, RiskPoint, risk_curve};

/// A system, and what comes of it as it answers more and more questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedRisk {
    /// The system.
    pub system: String,
    /// A point for each confidence, the highest first.
    pub points: Vec<ComparedRiskPoint>,
}

/// What comes of a system where a confidence is the least that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedRiskPoint {
    /// That confidence.
    pub confidence: Decimal,
    /// How many of the common questions have it, or more.
    pub questions: usize,
    /// The share of these.
    pub coverage: Decimal,
    /// 1 less the mean of the measure over these.
    pub risk: Decimal,
}

impl ComparedRisk {
    /// The curve of a system; none where it says of no question how sure it is.
    pub(crate) fn of(system: &str, questions: &[RatedQuestion]) -> Option<Self> {
        let points: Vec<ComparedRiskPoint> =
            risk_curve(questions).iter().map(ComparedRiskPoint::of).collect();
        (!points.is_empty()).then(|| Self { system: system.to_owned(), points })
    }
}

impl ComparedRiskPoint {
    fn of(point: &RiskPoint) -> Self {
        Self {
            confidence: Decimal::of(&point.confidence),
            questions: point.covered,
            coverage: Decimal::of(&point.coverage),
            risk: Decimal::of(&point.risk),
        }
    }
}

/// How sure a system is of a question: as it is of the answer that it is most sure of.
pub(super) fn confidence(observation: &Observation) -> Option<Fraction> {
    let scores = observation.judged.iter().filter_map(|answer: &JudgedAnswer| answer.score.as_ref());
    scores.map(Decimal::fraction).max()
}
