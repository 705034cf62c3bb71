//! Neither blocks nor threads decide anything: the graphs of an evaluation have the same bytes in any.

use std::num::NonZeroUsize;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::base::iri::Mint;
use crate::base::parallel::{both, with_threads};
use crate::base::watch::Silent;
use crate::profiles::Profile;
use crate::record::keep::digests;
use crate::references::{ReferenceInput, ReferenceKind};
use crate::scoring::asked::KbAnswers;
use crate::scoring::cases::Cases;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::groups::Grouping;
use crate::scoring::plan::Plan;
use crate::sources::file::source::Source;
use crate::sources::input::Input;

/// As many as make several blocks of seven, and one that is not full.
const QUESTIONS: usize = 40;

/// Other spellings of resources than that of the gold standard, and a link.
const LINKS: &str = "<http://dbpedia.org/resource/R3> <http://www.w3.org/2002/07/owl#sameAs> <http://www.wikidata.org/entity/Q3> .";
const LABELS: &str =
    "<http://dbpedia.org/resource/R4> <http://www.w3.org/2000/01/rdf-schema#label> \"Four\"@en .";

fn uri(name: &str, number: usize) -> Value {
    json!({"uri": {"type": "uri", "value": format!("{name}{number}")}})
}

fn text(value: &str, datatype: Option<&str>) -> Value {
    let mut cell = json!({"type": "literal", "value": value});
    if let Some(datatype) = datatype {
        cell["datatype"] = format!("http://www.w3.org/2001/XMLSchema#{datatype}").into();
    }
    json!({"uri": cell})
}

/// The rows of an answer: resources that many questions share, and literals in several forms.
fn rows(number: usize, is_gold: bool) -> Vec<Value> {
    let resource = |at: usize| uri("http://dbpedia.org/resource/R", at % 6);
    match (number % 8, is_gold) {
        (0 | 1, _) => (0..number % 5).map(|at| resource(at + number)).collect(),
        (2, true) => vec![resource(3), resource(4)],
        (2, false) => vec![uri("http://www.wikidata.org/entity/Q", 3), text("Four", None)],
        (3, true) => vec![text("3", Some("integer")), text("1990-01-02", Some("date"))],
        (3, false) => vec![text("3.0", Some("decimal")), text("1990-1-2", None)],
        (4, true) => vec![text("A  Title", None), text("7", None)],
        (4, false) => vec![text("\"A  Title\"", None), text(&number.to_string(), None)],
        (5, true) => vec![resource(1), resource(2)],
        (5, false) => vec![resource(2), uri("https://dbpedia.org/resource/R", 1), resource(5)],
        (6, _) => Vec::new(),
        _ => vec![text(if is_gold { "true" } else { "1" }, Some("boolean"))],
    }
}

fn file(name: &str, questions: impl Iterator<Item = usize>, is_gold: bool) -> Source {
    let question = |number: usize| {
        let (of, property) = (number % 6, if is_gold { number % 3 } else { number % 2 });
        let query = format!(
            "SELECT ?uri WHERE {{ <http://dbpedia.org/resource/R{of}> <http://dbpedia.org/ontology/p{property}> ?uri }}"
        );
        let answers = json!([{"head": {"vars": ["uri"]}, "results": {"bindings": rows(number, is_gold)}}]);
        json!({
            "id": number.to_string(),
            "question": [{"language": "en", "string": format!("What is {of}?")}],
            "query": {"sparql": query},
            "answers": answers,
        })
    };
    let all =
        json!({"dataset": {"id": "generated"}, "questions": questions.map(question).collect::<Vec<_>>()});
    Source::from_bytes(name, all.to_string().into_bytes()).unwrap()
}

#[test]
fn the_graphs_do_not_depend_on_blocks_and_threads() {
    let mint = Mint::default();
    let dataset = Arc::new(Input::dataset(file("gold.json", 0..QUESTIONS, true), &mint).unwrap());
    let answered = (0..QUESTIONS).filter(|number| number % 9 != 8);
    let submission = Input::submission(file("answers.json", answered, false), None, &mint).unwrap();
    let submission = Arc::new(submission);
    let reference = |(kind, text): (ReferenceKind, &str)| {
        let source = Source::from_bytes("reference.nt", text.as_bytes().to_vec()).unwrap();
        Arc::new(ReferenceInput::open(kind, source, &mint).unwrap())
    };
    let references = [(ReferenceKind::Links, LINKS), (ReferenceKind::Labels, LABELS)].map(reference);
    let mut scored = Vec::new();
    for profile in Profile::all() {
        let name = profile.name.clone();
        let plan = Arc::new(Plan::new(Arc::new(profile), Arc::default(), &references).unwrap());
        let cases = || Cases::new(Arc::clone(&dataset), Arc::clone(&submission), &plan, KbAnswers::default());
        // Some profiles are for files of another kind.
        if cases().is_err() {
            continue;
        }
        let left = |size: usize| {
            let plan = Arc::clone(&plan);
            let evaluation =
                Evaluation::in_blocks(&mint, cases().unwrap(), plan, Grouping::Shown, (size, &Silent))
                    .unwrap();
            let graphs = digests(&mint, &evaluation).unwrap();
            let values =
                evaluation.experiments.iter().map(|one| format!("{:?}", one.groups)).collect::<Vec<_>>();
            let graphs: Vec<String> = graphs.iter().map(|(_, graph)| graph.sha256.clone()).collect();
            (graphs, values, format!("{:?}", evaluation.skipped))
        };
        let all = left(usize::MAX);
        for (size, threads) in [(1, 1), (1, 8), (7, 1), (7, 2), (7, 8), (usize::MAX, 2)] {
            let together = || both(|| left(size), || left(size));
            let (one, other) = with_threads(NonZeroUsize::new(threads), together).unwrap();
            assert_eq!(all, one, "{name}: blocks of {size}, {threads} threads");
            assert_eq!(one, other, "{name}: side by side");
        }
        scored.push(name);
    }
    for expected in ["qassay", "gerbil", "gerbil-2019", "grasp", "nliwod", "qald", "row-major", "text2sparql"]
    {
        assert!(scored.iter().any(|name| name == expected), "{expected} is none of {scored:?}");
    }
}
