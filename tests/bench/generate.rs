//! Generated questions: deterministic, as QALD writes them, with links between two ways to name a third of the answers.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The files of one generated evaluation.
pub(crate) struct Files {
    pub(crate) gold: PathBuf,
    pub(crate) answers: PathBuf,
    pub(crate) links: PathBuf,
}

/// A linear congruential generator (Knuth's MMIX constants): the same numbers everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// How many answers gold and system each give to a question.
const ANSWERS: u64 = 5;

/// A query with two patterns, a class, a property and a resource, as they are in QALD.
fn query(question: u64, property: &str) -> String {
    let (class, topic) = (question % 50, question % 1000);
    format!(
        "PREFIX dbo: <http://dbpedia.org/ontology/> PREFIX dbr: <http://dbpedia.org/resource/> \
         SELECT DISTINCT ?uri WHERE {{ ?uri a dbo:Class{class} ; dbo:{property} {question} ; dbo:topic dbr:Topic_{topic} }}"
    )
}

/// Writes a dataset, the answers of a system and a link set. The numbers of systems are different ones.
///
/// Three of five answers are right on average. A third of the resources are linked: gold names them after
/// DBpedia, the system after Wikidata. Every tenth question asks for numbers, which the system types otherwise.
pub(crate) fn files(folder: &Path, questions: u64, system: u64) -> io::Result<Files> {
    let files = Files {
        gold: folder.join("gold.json"),
        answers: folder.join(format!("answers-{system}.json")),
        links: folder.join("links.nt"),
    };
    let mut random = Random(20_260_101 + system);
    let [mut gold, mut answers, mut links] =
        [create(&files.gold)?, create(&files.answers)?, create(&files.links)?];
    write!(gold, "{{\"dataset\": {{\"id\": \"generated\"}}, \"questions\": [")?;
    write!(answers, "{{\"questions\": [")?;
    for question in 0..questions {
        let separator = if question == 0 { "\n" } else { ",\n" };
        let numbers = question % 10 == 9;
        let kind = if numbers { "number" } else { "resource" };
        write!(
            gold,
            "{separator}{{\"id\": \"{question}\", \"answertype\": \"{kind}\", \"aggregation\": false, \
             \"onlydbo\": true, \"hybrid\": false, \"question\": [{{\"language\": \"en\", \
             \"string\": \"Which things belong to number {question}?\", \"keywords\": \"thing, {question}\"}}], \
             \"query\": {{\"sparql\": \"{}\"}}, ",
            query(question, "number")
        )?;
        write!(
            answers,
            "{separator}{{\"id\": \"{question}\", \"question\": [{{\"language\": \"en\", \
             \"string\": \"Which things belong to number {question}?\"}}], \"query\": {{\"sparql\": \"{}\"}}, ",
            query(question, if question % 5 == 4 { "count" } else { "number" })
        )?;
        let items = |random: &mut Random| {
            (0..ANSWERS)
                .map(|number| question * 2 * ANSWERS + number + ANSWERS * u64::from(random.below(5) < 2))
                .collect()
        };
        let given: Vec<u64> = items(&mut random);
        let wanted: Vec<u64> = (0..ANSWERS).map(|number| question * 2 * ANSWERS + number).collect();
        bindings(&mut gold, &wanted, |item| if numbers { typed(item, "integer") } else { dbpedia(item) })?;
        bindings(&mut answers, &given, |item| match item {
            _ if numbers => typed(item, "decimal"),
            _ if is_linked(item) => wikidata(item),
            _ => dbpedia(item),
        })?;
        for item in wanted.into_iter().filter(|item| !numbers && is_linked(*item)) {
            writeln!(
                links,
                "<{}> <http://www.w3.org/2002/07/owl#sameAs> <{}> .",
                dbpedia_iri(item),
                wikidata_iri(item)
            )?;
        }
    }
    writeln!(gold, "\n]}}")?;
    writeln!(answers, "\n]}}")?;
    for mut file in [gold, answers, links] {
        file.flush()?;
    }
    Ok(files)
}

fn create(path: &Path) -> io::Result<BufWriter<File>> {
    Ok(BufWriter::with_capacity(1 << 20, File::create(path)?))
}

fn is_linked(item: u64) -> bool {
    item.is_multiple_of(3)
}

fn dbpedia_iri(item: u64) -> String {
    format!("http://dbpedia.org/resource/Thing_{item}")
}

fn wikidata_iri(item: u64) -> String {
    format!("http://www.wikidata.org/entity/Q{item}")
}

fn dbpedia(item: u64) -> String {
    format!("\"type\": \"uri\", \"value\": \"{}\"", dbpedia_iri(item))
}

fn wikidata(item: u64) -> String {
    format!("\"type\": \"uri\", \"value\": \"{}\"", wikidata_iri(item))
}

fn typed(item: u64, datatype: &str) -> String {
    format!(
        "\"type\": \"typed-literal\", \"datatype\": \"http://www.w3.org/2001/XMLSchema#{datatype}\", \"value\": \"{item}\""
    )
}

fn bindings(out: &mut impl Write, items: &[u64], term: impl Fn(u64) -> String) -> io::Result<()> {
    write!(out, "\"answers\": [{{\"head\": {{\"vars\": [\"uri\"]}}, \"results\": {{\"bindings\": [")?;
    for (position, &item) in items.iter().enumerate() {
        let separator = if position == 0 { "" } else { ", " };
        write!(out, "{separator}{{\"uri\": {{{}}}}}", term(item))?;
    }
    write!(out, "]}}}}]}}")
}
