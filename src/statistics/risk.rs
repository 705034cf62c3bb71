//! Risk and coverage: how far a system is from right if only the questions count that it is most sure of (R. El-Yaniv,
//! Y. Wiener, On the foundations of noise-free selective classification, JMLR 11, 2010).
//!
//! Questions are ordered by confidence, the highest first; those with equal confidence come in together, since nothing says
//! which of them is first. Coverage is the share of all questions that have at least some confidence; risk is 1 less the mean
//! of their scores, which are from 0 to 1. A question that has no answer, or one without a confidence, is never covered: the
//! curve ends before it.

use crate::measures::fraction::Fraction;

/// A question: how sure the system is of it, if it says so, and its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatedQuestion {
    /// The confidence, any number: only the order counts.
    pub confidence: Option<Fraction>,
    /// From 0 to 1.
    pub score: Fraction,
}

/// What comes of it where a confidence is the least that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskPoint {
    /// That confidence.
    pub confidence: Fraction,
    /// How many questions have it, or more.
    pub covered: usize,
    /// The share of these.
    pub coverage: Fraction,
    /// 1 less the mean of their scores.
    pub risk: Fraction,
}

/// A point for each confidence, the highest first.
pub fn risk_curve(questions: &[RatedQuestion]) -> Vec<RiskPoint> {
    let rated = questions.iter().filter_map(|one| Some((one.confidence.as_ref()?, &one.score)));
    let mut rated: Vec<(&Fraction, &Fraction)> = rated.collect();
    rated.sort_by(|(one, _), (other, _)| other.cmp(one));
    let (mut covered, mut right) = (0, Fraction::zero());
    let point = |tied: &[(&Fraction, &Fraction)]| {
        covered += tied.len();
        right = tied.iter().fold(right.clone(), |sum, (_, score)| &sum + *score);
        Some(RiskPoint {
            confidence: tied.first()?.0.clone(),
            covered,
            coverage: Fraction::ratio(covered as u64, questions.len() as u64)?,
            risk: &Fraction::one() - &right.over(&Fraction::whole(covered as u64))?,
        })
    };
    rated.chunk_by(|(one, _), (next, _)| one == next).filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rated(confidence: Option<&str>, score: &str) -> RatedQuestion {
        let number = |text: &str| Fraction::parse(text).unwrap();
        RatedQuestion { confidence: confidence.map(number), score: number(score) }
    }

    fn told(questions: &[RatedQuestion]) -> Vec<String> {
        let told = |point: RiskPoint| {
            let [confidence, coverage, risk] =
                [point.confidence, point.coverage, point.risk].map(|one| one.to_decimal());
            format!("{confidence}: {} {coverage} {risk}", point.covered)
        };
        risk_curve(questions).into_iter().map(told).collect()
    }

    #[test]
    fn by_hand() {
        // 1 of one; then 1 + 0.5 + 0 of three, the two of 0.5 together; then 2 of four. The fifth has no confidence.
        let questions = [
            rated(Some("0.5"), "0"),
            rated(None, "1"),
            rated(Some("0.9"), "1"),
            rated(Some("0.50"), "0.5"),
            rated(Some("0.1"), "0.5"),
        ];
        assert_eq!(told(&questions), ["0.9: 1 0.2 0", "0.5: 3 0.6 0.5", "0.1: 4 0.8 0.5"]);
    }

    #[test]
    fn sums_are_exact() {
        let third = Fraction::ratio(1, 3).unwrap();
        let question = RatedQuestion { confidence: Some(Fraction::one()), score: third };
        let all = risk_curve(&[question.clone(), question.clone(), question]);
        assert_eq!((all.len(), &all[0].risk), (1, &Fraction::ratio(2, 3).unwrap()));
    }

    /// Scores that rankings are ordered by may be below 0, and larger than 1.
    #[test]
    fn any_number_is_a_confidence() {
        let questions = [rated(Some("-2"), "1"), rated(Some("17.5"), "0")];
        assert_eq!(told(&questions), ["17.5: 1 0.5 1", "-2: 2 1 0.5"]);
    }

    #[test]
    fn without_confidences_there_is_no_curve() {
        assert_eq!(told(&[]), [""; 0]);
        assert_eq!(told(&[rated(None, "1"), rated(None, "0")]), [""; 0]);
    }

    proptest! {
        /// Coverage rises to the share of rated questions; the last risk is that of all of them; the order of the file decides
        /// nothing; each point is what counting again says.
        #[test]
        fn curves_are_what_they_say(all in prop::collection::vec((prop::option::of(0u64..6), 0u64..=4), 0..30)) {
            let question = |(confidence, score): &(Option<u64>, u64)| RatedQuestion {
                confidence: confidence.map(Fraction::whole),
                score: Fraction::ratio(*score, 4).unwrap(),
            };
            let mut questions: Vec<RatedQuestion> = all.iter().map(question).collect();
            let curve = risk_curve(&questions);
            prop_assert!(curve.windows(2).all(|both| both[0].coverage < both[1].coverage));
            prop_assert!(curve.windows(2).all(|both| both[0].confidence > both[1].confidence));
            let known: Vec<&RatedQuestion> = questions.iter().filter(|one| one.confidence.is_some()).collect();
            prop_assert_eq!(curve.last().map_or(0, |last| last.covered), known.len());
            for point in &curve {
                let kept = known.iter().filter(|one| one.confidence.as_ref() >= Some(&point.confidence));
                let scores: Vec<&Fraction> = kept.map(|one| &one.score).collect();
                prop_assert_eq!(point.covered, scores.len());
                let mean = Fraction::mean(scores.iter().copied()).unwrap();
                prop_assert_eq!(&point.risk, &(&Fraction::one() - &mean));
            }
            if let Some(last) = curve.last() {
                let mean = Fraction::mean(known.iter().map(|one| &one.score)).unwrap();
                prop_assert_eq!(&last.risk, &(&Fraction::one() - &mean));
                prop_assert_eq!(&last.coverage, &Fraction::ratio(known.len() as u64, questions.len() as u64).unwrap());
            }
            questions.reverse();
            prop_assert_eq!(risk_curve(&questions), curve);
        }
    }
}
