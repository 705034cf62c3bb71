//! Minting: every IRI that qassay makes is made here, so that two parts can never disagree about one.

use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::model::Model;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

/// The base under which everything is minted unless `--base` says otherwise.
///
/// The name is not registered at w3id.org yet.
pub const DEFAULT_BASE: &str = "https://w3id.org/qassay/";

/// What the names begin with that the ontology and the program define, behind [`DEFAULT_BASE`]. They are the same everywhere:
/// whoever has a base of his own has his evaluations under it, and our terms.
const DEFINED: [&str; 9] = ["ns", "code", "model", "profile", "protocol", "query", "set", "shapes", "step"];

/// The longest base, in bytes.
const LONGEST_BASE: usize = 200;

/// What may stand unencoded in one segment of a path: RFC 3986 `unreserved`.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// One segment of a path: everything else is percent-encoded, also `/`.
pub fn segment(text: &str) -> String {
    match text {
        // A dot segment would vanish when the IRI is resolved.
        "." => "%2E".to_owned(),
        ".." => "%2E%2E".to_owned(),
        _ if text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~')) => {
            text.to_owned()
        }
        _ => utf8_percent_encode(text, SEGMENT).to_string(),
    }
}

/// A lower-case name for paths: letters and digits, everything else one hyphen; a checksum where letters of other
/// scripts are left out.
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    let slug = if slug.is_empty() { "unnamed" } else { slug };
    if text.is_ascii() && slug != "unnamed" {
        return slug.to_owned();
    }
    // What was left out must not make two names one.
    format!("{slug}-{}", &hex(&Sha256::digest(text))[..8])
}

/// The mint: a base and the names under it, and the version of the model that says what stands under them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mint {
    base: String,
    model: Model,
}

impl Default for Mint {
    fn default() -> Self {
        Self::of(Model::default())
    }
}

impl Mint {
    /// The mint of a version of the model.
    pub fn of(model: Model) -> Self {
        Self { base: DEFAULT_BASE.to_owned(), model }
    }

    /// The same under another base, which must be the beginning of IRIs on the web, such as `https://example.org/qa/`.
    ///
    /// # Errors
    /// Where it is none, or nobody could tell what is under it from our terms.
    pub fn under_base(self, base: &str) -> Result<Self> {
        let wrong = |why: &str| {
            Err(Error::input(format!("the base of IRIs {why}"))
                .at(format!("{base:?}"))
                .allowed("http or https, a host, a path that ends with a slash, as in `https://example.org/qa/`; no user, query or fragment")
                .hint("take a place on the web that is yours for long: what is published keeps its IRIs"))
        };
        let Ok(url) = Url::parse(base) else { return wrong("is no absolute IRI") };
        if !["http", "https"].contains(&url.scheme()) || !url.has_host() {
            return wrong("is no address on the web");
        }
        if !base.ends_with('/') {
            return wrong("must end with a slash");
        }
        if base.len() > LONGEST_BASE {
            return wrong(&format!("is longer than {LONGEST_BASE} bytes"));
        }
        // As it is written it is compared: another spelling would be another base.
        if url.as_str() != base
            || !url.username().is_empty()
            || url.password().is_some()
            || base.contains(['?', '#', '\'', '%'])
        {
            return wrong("is not in its plain form");
        }
        if base != DEFAULT_BASE && (base.starts_with(DEFAULT_BASE) || DEFAULT_BASE.starts_with(base)) {
            return wrong(&format!("overlaps with that of qassay, {DEFAULT_BASE}"));
        }
        Ok(Self { base: base.to_owned(), ..self })
    }

    /// The mint of the same version of the model under the usual base: keys are made of its names, so that things have the same
    /// keys under every base.
    #[must_use]
    pub fn usual(&self) -> Self {
        Self::of(self.model)
    }

    /// The mint of the newest version of the model under the same base.
    #[must_use]
    pub fn newest(self) -> Self {
        Self { model: Model::default(), ..self }
    }

    /// What an IRI is called under another base; the same where it is not under this one.
    pub fn renamed(&self, iri: &str, to: &Self) -> String {
        self.path(iri).map_or_else(|| iri.to_owned(), |path| to.under(path))
    }

    /// The path behind the base of something that is named under it, and is no term of ours.
    pub fn path<'i>(&self, iri: &'i str) -> Option<&'i str> {
        iri.strip_prefix(&self.base).filter(|_| !is_defined(iri))
    }

    /// The version of the model by which graphs and records are written.
    pub fn model(&self) -> Model {
        self.model
    }

    /// What all IRIs begin with, with a slash at the end.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// A version of the model, by its number.
    pub fn model_version(&self, number: impl std::fmt::Display) -> String {
        format!("{DEFAULT_BASE}model/{number}")
    }

    /// A name under the base.
    fn under(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The catalogue itself.
    pub fn catalogue(&self) -> String {
        catalogue_of(&self.base)
    }

    /// The graph of all catalogue records.
    pub fn catalogue_graph(&self) -> String {
        self.under("graph/catalog")
    }

    /// The graph of the headline values of all evaluations, on servers: an archive does not publish it.
    pub fn summaries_graph(&self) -> String {
        self.under("graph/summaries")
    }

    /// The graph of the vocabulary.
    pub fn ontology_graph(&self) -> String {
        format!("{DEFAULT_BASE}ns/0.1.0")
    }

    /// Whether a graph is that of a vocabulary, of this version of the program or of another one.
    pub fn is_ontology_graph(&self, graph: &str) -> bool {
        graph.strip_prefix(DEFAULT_BASE).is_some_and(|path| path.starts_with("ns/"))
    }

    /// A dataset, whatever its version.
    pub fn dataset(&self, slug: &str) -> String {
        self.under(&format!("dataset/{slug}"))
    }

    /// The version of a dataset that is one file: its label is the beginning of the checksum.
    pub fn dataset_version(&self, slug: &str, sha256: &str) -> String {
        self.under(&format!("dataset/{slug}/{}", &sha256[..16]))
    }

    /// A submission: one file of answers.
    pub fn submission(&self, sha256: &str) -> String {
        self.under(&format!("submission/{}", &sha256[..32]))
    }

    /// A system, whatever its version.
    pub fn system(&self, name: &str) -> String {
        self.under(&format!("system/{}", slug(name)))
    }

    /// A file of statements that an evaluation refers to: `links`, `labels`, `classes` or `types`.
    pub fn reference(&self, kind: &str, sha256: &str) -> String {
        self.under(&format!("{kind}/{}", &sha256[..32]))
    }

    /// A knowledge base, whatever its version: a slug.
    pub fn knowledge_base_name(&self, name: &str) -> String {
        self.under(&format!("kb/{name}"))
    }

    /// A registered version of a link set: both are slugs.
    pub fn link_set(&self, name: &str, version: &str) -> String {
        self.under(&format!("linkset/{name}/{version}"))
    }

    /// A version of a knowledge base: both are slugs.
    pub fn knowledge_base(&self, name: &str, version: &str) -> String {
        self.under(&format!("kb/{name}/{version}"))
    }

    /// What a knowledge base answered, by a key made of its content.
    pub fn answer_snapshot(&self, key: &str) -> String {
        self.under(&format!("answers/{key}"))
    }

    /// The gold answers of a dataset version that its queries give on a knowledge base, by the name of its answers.
    pub fn refreshed_gold(&self, dataset_version: &str, name: &str) -> String {
        let path = dataset_version.strip_prefix(&self.base).unwrap_or(dataset_version);
        self.under(&format!("gold/{}/{name}", path.trim_start_matches("dataset/")))
    }

    /// The answers that the queries of a submission give on a knowledge base, by the name of its answers.
    pub fn executed_answers(&self, submission: &str, name: &str) -> String {
        let key = submission.rsplit('/').next().unwrap_or(submission);
        self.under(&format!("executed/{key}/{name}"))
    }

    /// The graph of all triple patterns: each input that has some adds its part.
    pub fn patterns_graph(&self) -> String {
        self.under("graph/patterns")
    }

    /// The part of [`Mint::patterns_graph`] that an input adds.
    pub fn patterns_of(&self, thing: &str) -> String {
        self.under(&format!("graph/patterns/{}", thing.strip_prefix(&self.base).unwrap_or_default()))
    }

    /// The graph in which the statements of a registered graph are: its own, or the one that it is a part of.
    pub fn whole_graph<'a>(&self, name: &'a str) -> &'a str {
        let whole = self.patterns_graph();
        if name.strip_prefix(&whole).is_some_and(|part| part.starts_with('/')) {
            &name[..whole.len()]
        } else {
            name
        }
    }

    /// What some graphs hold, by the key of [these contents](crate::base::rdf::contents::GraphContents::key).
    pub fn contents(&self, key: &str) -> String {
        self.under(&format!("contents/{key}"))
    }

    /// A triple pattern, from its content with variables anonymised.
    pub fn triple_pattern(&self, text: &str) -> String {
        self.under(&format!("tp/{}", &hex(&Sha256::digest(text))[..32]))
    }

    /// The bytes of a file.
    pub fn file(&self, sha256: &str) -> String {
        self.under(&format!("file/sha256/{sha256}"))
    }

    /// An evaluation.
    pub fn evaluation(&self, digest: &str) -> String {
        self.under(&format!("evaluation/{}", &digest[..32]))
    }

    /// Several evaluations that are published together, by the key that is made of theirs.
    pub fn experiment<'k>(&self, keys: impl IntoIterator<Item = &'k str>) -> String {
        let mut sorted: Vec<&str> = keys.into_iter().collect();
        sorted.sort_unstable();
        let text: String = sorted.iter().flat_map(|key| [*key, "\n"]).collect();
        self.under(&format!("experiment/{}", &hex(&Sha256::digest(text))[..32]))
    }

    /// A comparison of evaluations, by its key.
    pub fn comparison(&self, key: &str) -> String {
        self.under(&format!("comparison/{key}"))
    }

    /// What the name of a graph says that it holds: `scores`, `dataset`, …; `vocabulary` for that of the terms.
    pub fn graph_kind<'g>(&self, graph: &'g str) -> &'g str {
        if self.is_ontology_graph(graph) {
            return "vocabulary";
        }
        let name = graph.strip_prefix(&self.base).and_then(|name| name.strip_prefix("graph/"));
        name.and_then(|name| name.split('/').next()).unwrap_or_default()
    }

    /// A blind submission.
    pub fn blind(&self, digest: &str) -> String {
        self.under(&format!("blind/{}", &digest[..32]))
    }

    /// The asking of a live system.
    pub fn asking(&self, key: &str) -> String {
        self.under(&format!("asking/{key}"))
    }

    /// An execution.
    pub fn execution(&self, digest: &str) -> String {
        self.under(&format!("execution/{}", &digest[..32]))
    }

    /// A build of the program.
    pub fn engine(&self, version: &str) -> String {
        self.under(&format!("engine/qassay/{version}"))
    }

    /// The graph that holds the content of a thing: `graph/` before its path.
    ///
    /// An evaluation has several: `graph/scores/KEY`, `graph/match/KEY`, …, see [`Mint::scores_graph`].
    pub fn graph_of(&self, thing: &str) -> String {
        thing
            .strip_prefix(&self.base)
            .map_or_else(|| thing.to_owned(), |path| self.under(&format!("graph/{path}")))
    }

    /// The graph of the record of a file: all that it says, in its order and as written.
    pub fn record_graph(&self, dataset_version: &str) -> String {
        self.under(&format!("graph/record/{}", dataset_version.strip_prefix(&self.base).unwrap_or_default()))
    }

    /// The graph of the observations of an evaluation.
    pub fn scores_graph(&self, digest: &str) -> String {
        self.under(&format!("graph/scores/{}", &digest[..32]))
    }

    /// The graph of the matches of an evaluation.
    pub fn match_graph(&self, digest: &str) -> String {
        self.under(&format!("graph/match/{}", &digest[..32]))
    }

    /// The graph of the aggregates of an evaluation over all questions.
    pub fn measures_graph(&self, digest: &str) -> String {
        self.under(&format!("graph/measures/{}", &digest[..32]))
    }

    /// The graph of the aggregates of an evaluation over groups of questions.
    pub fn groups_graph(&self, digest: &str) -> String {
        self.under(&format!("graph/groups/{}", &digest[..32]))
    }

    /// The graph of the messages of an execution that quote inputs.
    pub fn messages_graph(&self, digest: &str) -> String {
        self.under(&format!("graph/messages/{}", &digest[..32]))
    }

    /// The graph of the provenance of an execution.
    pub fn provenance_graph(&self, digest: &str) -> String {
        self.under(&format!("graph/prov/{}", &digest[..32]))
    }
}

/// Whether an IRI is one that the ontology or the program defines.
pub fn is_defined(iri: &str) -> bool {
    let name = iri.strip_prefix(DEFAULT_BASE).and_then(|path| path.split(['/', '#']).next());
    name.is_some_and(|name| DEFINED.contains(&name))
}

/// The IRI of an evaluation under the usual base: keys are made of it, so that they are the same under every base.
pub fn usual_evaluation(iri: &str) -> String {
    usual(iri, "evaluation")
}

/// The same of a version of a knowledge base.
pub fn usual_knowledge_base(iri: &str) -> String {
    usual(iri, "kb")
}

fn usual(iri: &str, kind: &str) -> String {
    let path = iri.rsplit_once(&format!("/{kind}/")).map(|(_, path)| format!("{DEFAULT_BASE}{kind}/{path}"));
    path.unwrap_or_else(|| iri.to_owned())
}

/// Who keeps the archive of a catalogue, under a base, which ends with a slash.
pub fn catalogue_keeper_of(base: &str) -> String {
    format!("{}#publisher", catalogue_of(base))
}

/// The catalogue under a base, which ends with a slash.
pub fn catalogue_of(base: &str) -> String {
    format!("{base}catalog")
}

/// A file of what is published, by its path in the record.
pub fn published_file(published: &str, path: &str) -> String {
    format!("{published}/file/{}", published_path(path))
}

/// A path in a record as a reference: each segment encoded.
pub fn published_path(path: &str) -> String {
    path.split('/').map(segment).collect::<Vec<_>>().join("/")
}

/// A question of a dataset version.
pub fn question(dataset_version: &str, key: &str) -> String {
    format!("{dataset_version}/q/{}", segment(key))
}

/// The gold answer that the dataset publishes for a question.
pub fn curated_gold(question: &str) -> String {
    format!("{question}/gold/curated")
}

/// The gold answer that the query of a question gives on a knowledge base, by the name of its answers.
pub fn refreshed_gold(question: &str, name: &str) -> String {
    format!("{question}/gold/{name}")
}

/// A group of rows of a gold answer that tie, counted from 1.
pub fn tied_rows(gold: &str, group: usize) -> String {
    format!("{gold}/tied/{group}")
}

/// A row that ties, counted from 1 in its group.
pub fn tied_row(gold: &str, group: usize, row: usize) -> String {
    format!("{}/{row}", tied_rows(gold, group))
}

/// What a knowledge base answered to a query, in an answer snapshot.
pub fn query_answer(answers: &str, checksum: &str) -> String {
    format!("{answers}/query/{checksum}")
}

/// The answer of a submission.
pub fn system_answer(submission: &str, key: &str) -> String {
    format!("{submission}/a/{}", segment(key))
}

/// An item of an answer that needs a node of its own, counted from 1.
pub fn item(answer: &str, number: usize) -> String {
    format!("{answer}/item/{number}")
}

/// A candidate of an answer, counted from 1.
pub fn candidate(answer: &str, number: usize) -> String {
    format!("{answer}/candidate/{number}")
}

/// A part of a candidate, counted from 1.
pub fn candidate_part(candidate: &str, number: usize) -> String {
    format!("{candidate}/part/{number}")
}

/// A cell of a part of a candidate that is a table; rows and columns from 1, row 0 names the columns.
pub fn table_cell(part: &str, row: usize, column: usize) -> String {
    format!("{part}/cell/{row}/{column}")
}

/// The record of a dataset version.
pub fn record(dataset_version: &str) -> String {
    format!("{dataset_version}/record")
}

/// A part of a record, counted from 1 among the parts of its kind.
pub fn record_part(parent: &str, kind: &str, number: usize) -> String {
    format!("{parent}/{kind}/{number}")
}

/// What the IRIs of all parts of a kind begin with, of one experiment type: `EVALUATION/obs/QA/`.
pub fn part_of(evaluation: &str, kind: &str, experiment: &str) -> String {
    format!("{evaluation}/{kind}/{experiment}/")
}

/// The observation of one question in one experiment type.
pub fn observation(evaluation: &str, experiment: &str, key: &str) -> String {
    format!("{}{}", part_of(evaluation, "obs", experiment), segment(key))
}

/// The observation of one metric over one group of questions.
pub fn aggregate(evaluation: &str, experiment: &str, group: &str, metric: &str) -> String {
    format!("{}{group}/{metric}", part_of(evaluation, "agg", experiment))
}

/// An experiment type without scores.
pub fn skipped(evaluation: &str, experiment: &str) -> String {
    format!("{evaluation}/skipped/{experiment}")
}

/// A question without scores in an experiment type.
pub fn skipped_question(evaluation: &str, experiment: &str, key: &str) -> String {
    format!("{}{}", part_of(evaluation, "skipped", experiment), segment(key))
}

/// One match of an observation, counted from 1.
pub fn matched(evaluation: &str, experiment: &str, key: &str, number: usize) -> String {
    format!("{}{}/{number}", part_of(evaluation, "match", experiment), segment(key))
}

/// A literal that a match cannot name, by a digest of it: its text is none of its datatype.
pub fn written_term(evaluation: &str, digest: &str) -> String {
    format!("{evaluation}/term/{digest}")
}

/// An answer of an observation that is judged by itself, by its rank from 1.
pub fn judgement(evaluation: &str, experiment: &str, key: &str, rank: usize) -> String {
    format!("{}{}/{rank}", part_of(evaluation, "judgement", experiment), segment(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_keep_their_text_and_slugs_are_plain() {
        assert_eq!(segment("WebQTrn-3129"), "WebQTrn-3129");
        assert_eq!(segment("a/b c~2é"), "a%2Fb%20c~2%C3%A9");
        assert_eq!(segment(".."), "%2E%2E");
        assert_eq!(slug("QALD 9 (test)"), "qald-9-test");
        assert_eq!(slug("…"), "unnamed-b4935894");
        assert_ne!(slug("系统一"), slug("系统二"));
    }
}
