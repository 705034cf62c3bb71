//! The vocabulary of queries, code and measures is that of the ontology.

use std::collections::BTreeSet;
use std::path::PathBuf;

use qassay::base::issue::IssueCode;
use qassay::base::query::QUERIES;
use qassay::base::vocab;
use qassay::base::vocab::code;
use qassay::measures::definition::{Measure, Sample, Takes, Unit};
use qassay::measures::judged::Verdict;
use qassay::measures::metric::{MEASURES, Metric};
use qassay::measures::result::ItemPart;
use qassay::profiles::ontology::{GROUPS, LICENCES, OntologyFile, PROFILES, SYSTEMS, TERMS};

fn src() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn declared() -> BTreeSet<String> {
    let facts = [&TERMS, &GROUPS, &PROFILES, &SYSTEMS, &LICENCES].map(OntologyFile::facts);
    facts.iter().flat_map(|facts| facts.subjects().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn every_constant_is_declared_in_the_ontology() {
    let declared = declared();
    for term in vocab::qassay::ALL.iter().chain(vocab::part::ALL) {
        assert!(declared.contains(*term), "{term} is not in ontology/qassay.ttl");
    }
    for issue in IssueCode::ALL {
        let concept = code::iri(&format!("issue-{}", issue.name()));
        assert!(declared.contains(&concept), "{concept} is not in ontology/qassay.ttl");
        let severity = TERMS.facts();
        let severity = severity.codes(&concept, vocab::qassay::SEVERITY).next().map(str::to_owned);
        assert_eq!(severity, Some(format!("severity-{}", issue.severity().name())), "{concept}");
    }
}

#[test]
fn queries_and_profiles_use_declared_terms_only() {
    let declared = declared();
    let prefixes = [("qassay:", vocab::qassay::NAMESPACE), ("code:", code::NAMESPACE)];
    let profiles = std::iter::once((PROFILES.path, PROFILES.text));
    let texts = QUERIES.iter().map(|query| (query.name, query.text)).chain(profiles);
    for (name, text) in texts {
        // Strings and comments are prose.
        let code =
            text.lines().filter(|line| !line.trim_start().starts_with('#') && !line.contains("@prefix"));
        for line in code.filter(|line| !line.starts_with("PREFIX")) {
            for (prefix, namespace) in prefixes {
                for (at, _) in line.match_indices(prefix) {
                    let is_start = at == 0 || !line.as_bytes()[at - 1].is_ascii_alphanumeric();
                    let local: String = line[at + prefix.len()..]
                        .chars()
                        .take_while(|c| c.is_ascii_alphanumeric() || *c == '-')
                        .collect();
                    if is_start && !local.is_empty() {
                        let term = format!("{namespace}{local}");
                        // `code:group-answertype-` is the beginning of several.
                        let is_declared = if local.ends_with('-') {
                            declared.iter().any(|known| known.starts_with(&term))
                        } else {
                            // Of a family of metrics the name without the cut-off is declared.
                            let family = Metric::named(&local).map(|metric| code::iri(&metric.concept()));
                            declared.contains(&term)
                                || family.is_some_and(|family| declared.contains(&family))
                        };
                        assert!(is_declared, "{name}: {term} is not declared");
                    }
                }
            }
        }
    }
}

/// One answer with a score to a question with one gold answer.
fn judged(verdict: Verdict, score: &str) -> qassay::measures::judged::Judged {
    let gain = u64::from(verdict == Verdict::Correct);
    let score = qassay::measures::fraction::Fraction::parse(score);
    let answers = vec![qassay::measures::judged::Judgement { verdict, gain, rejected: gain == 0, score }];
    qassay::measures::judged::Judged::new(answers, vec![1], 1)
}

/// Every metric that is computed and is no member of a family.
fn metrics() -> Vec<Metric> {
    let of_measure = |measure: &'static Measure| {
        let plain = Metric { measure, cutoff: None, part: None };
        std::iter::once(plain).chain(ItemPart::ALL.into_iter().filter_map(|part| measure.of_part(part)))
    };
    MEASURES.into_iter().flatten().flat_map(of_measure).collect()
}

/// The table of measures and the concepts of `code:metric` say the same, both ways.
#[test]
fn every_measure_is_a_concept_and_every_concept_is_a_measure() {
    let facts = TERMS.facts();
    let own = |name: &str| format!("{}{name}", vocab::qassay::NAMESPACE);
    let in_scheme =
        |subject: &&str| facts.text(subject, vocab::skos::IN_SCHEME) == Some(code::iri("metric").as_str());
    let concepts: BTreeSet<&str> = facts.subjects().filter(in_scheme).collect();
    let computed: Vec<String> = metrics().iter().map(|metric| code::iri(&metric.concept())).collect();
    assert_eq!(concepts, computed.iter().map(String::as_str).collect::<BTreeSet<_>>());
    for (metric, concept) in metrics().iter().zip(&computed) {
        assert_eq!(facts.notation(concept), Some(metric.concept().as_str()));
        for text in ["formula", "emptyCases", "averaging", "range", "direction", "order"] {
            assert!(facts.text(concept, &own(text)).is_some(), "{metric} has no {text}");
        }
        for text in [vocab::skos::PREF_LABEL, vocab::skos::DEFINITION, vocab::dct::SOURCE] {
            assert!(facts.text(concept, text).is_some(), "{metric} has no {text}");
        }
        let unit = match metric.measure.unit {
            Unit::Share => vocab::unit::UNITLESS,
            Unit::Count => vocab::unit::NUM,
            Unit::Seconds => vocab::unit::SEC,
        };
        assert_eq!(facts.text(concept, &own("unit")), Some(unit), "{metric}");
        let counts = match metric.measure.takes {
            Takes::Nothing | Takes::Part => None,
            Takes::Rank => Some("cutoff-rank"),
            Takes::PercentFrom(_) => Some("cutoff-percent"),
        };
        assert_eq!(facts.codes(concept, &own("cutoffOf")).next(), counts, "{metric}");
    }
}

/// A measure has a value where there is something of everything that measures look at.
#[test]
fn every_measure_is_computed() {
    let profile = qassay::profiles::Profile::find("qassay").unwrap();
    let counts = qassay::measures::sets::Counts { gold: 1, system: 1, matched: 1 };
    let of = |verdict, score: &str| qassay::measures::result::QuestionResult {
        status: qassay::measures::result::Status::Answered,
        counts,
        scores: qassay::measures::sets::Scores::of(
            counts,
            qassay::measures::sets::Submitted::Answer,
            profile.empty,
        ),
        parts: ItemPart::ALL.map(|part| (part, counts)).into_iter().collect(),
        ndcg: Some(qassay::measures::fraction::Fraction::one()),
        judged: Some(judged(verdict, score)),
        response_time: Some(qassay::measures::fraction::Fraction::one()),
    };
    let questions = [of(Verdict::Correct, "1"), of(Verdict::Incorrect, "0")];
    let ratings = [Verdict::Correct, Verdict::Incorrect].map(|verdict| vec![Some(verdict); 2]);
    let ratings = qassay::measures::agreement::Ratings(ratings.to_vec());
    let questions = questions.each_ref();
    let sample = Sample { ratings: Some(&ratings), ..Sample::new(&questions, profile.empty) };
    for metric in metrics() {
        let member = metric.measure.takes.cutoffs().and_then(|cutoffs| metric.measure.at(*cutoffs.end()));
        assert!(member.unwrap_or(metric).of(&sample).is_some(), "{metric} has no value");
    }
}

/// Names that the code makes: every one is a concept of its scheme.
#[test]
fn every_code_that_the_program_writes_is_defined() {
    let facts = TERMS.facts();
    let in_scheme = |scheme: &str| -> BTreeSet<String> {
        let scheme = code::iri(scheme);
        let property = "http://www.w3.org/2004/02/skos/core#inScheme";
        let belongs = |subject: &&str| facts.text(subject, property) == Some(scheme.as_str());
        facts.subjects().filter(belongs).map(str::to_owned).collect()
    };
    let forms = in_scheme("queryForm");
    for (files, prefix, scheme) in [
        (&["scoring/skip.rs", "profiles/loaders/reason.rs"][..], "skip-", "skipReason"),
        // The forms of queries stand in the same file.
        (&["sparql/features.rs"], "", "queryFeature"),
        (&["profiles/same_as.rs"], "", "sameAsMode"),
    ] {
        let text: String =
            files.iter().map(|file| std::fs::read_to_string(src().join(file)).unwrap()).collect();
        // The arms of `match self { Self::… => "name", }`.
        let names: BTreeSet<String> = text
            .lines()
            .filter(|line| line.trim_start().starts_with("Self::"))
            .filter_map(|line| Some(line.split_once("=> \"")?.1.split('"').next()?.to_owned()))
            .filter(|name| name.starts_with(prefix) && name.starts_with(|c: char| c.is_ascii_lowercase()))
            .map(|name| match scheme {
                "queryFeature" if forms.contains(&code::iri(&format!("form-{name}"))) => {
                    code::iri(&format!("form-{name}"))
                }
                "queryFeature" => code::iri(&format!("feature-{name}")),
                "sameAsMode" => code::iri(&format!("sameas-{name}")),
                _ => code::iri(&name),
            })
            .collect();
        assert!(names.len() >= 4, "{files:?}: the names are not found");
        let mut expected = in_scheme(scheme);
        expected.extend(forms.iter().filter(|_| scheme == "queryFeature").cloned());
        assert_eq!(names, expected, "{scheme}");
    }
}
