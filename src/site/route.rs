//! Which page there is: a route is the path of an IRI behind the base, decoded once, and back.
//!
//! An IRI `B x` has its page at the path `x`, with an ending that says in which form. A thing that is shown on the page of a
//! larger one, such as a match on that of its observation, has the route of that page.

use percent_encoding::percent_decode_str;
use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::iri::segment;
use crate::base::vocab::{code, qassay};

/// A page, by what it is about. Names and ids are as they are, not encoded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Route {
    /// The way in.
    Home,
    /// A page that lists things, by its name.
    List(ListPage),
    /// An evaluation, by its key.
    Evaluation(String),
    /// Further questions of an evaluation: its key, and the number of the page, from 2.
    Questions(String, usize),
    /// What belongs to an evaluation and has no page of its own: its key, and the first segment behind it (`cube`).
    EvaluationPart(String, String),
    /// A question of an evaluation: its key, the experiment type, the id of the question.
    Observation(String, String, String),
    /// The numbers of a group of questions: the key of the evaluation, the experiment type, the group.
    Aggregates(String, String, String),
    /// A comparison, by its key.
    Comparison(String),
    /// A question of a dataset: its slug, its version, the id of the question.
    Question(String, String, String),
    /// Further questions of a dataset: its slug, its version, and the number of the page, from 2.
    DatasetQuestions(String, String, usize),
    /// The answer of a submission: its key, the id of the question.
    Answer(String, String),
    /// All terms of a vocabulary.
    Terms(Vocabulary),
    /// A term of a vocabulary, by its name.
    Term(Vocabulary, String),
    /// A canned query: its folder and its name.
    Query(String, String),
    /// Anything else that has an IRI, by the segments of its path: a dataset, a system, a file, …
    Thing(Vec<String>),
}

/// A page that lists things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ListPage {
    /// Evaluations, with what came of them.
    Results,
    /// Comparisons.
    Comparisons,
    /// Evaluations that are compared: a server does so there.
    Compare,
    /// Datasets and their versions.
    Datasets,
    /// Systems, and the submissions of each.
    Systems,
    /// Profiles.
    Profiles,
    /// Canned queries.
    Queries,
    /// The endpoint: a server answers queries there.
    Sparql,
    /// Files that are looked at: a server does so there.
    Check,
    /// Evaluations that are begun: a server does so there.
    New,
    /// Everything by its name.
    Search,
    /// What the archive is.
    About,
}

/// A vocabulary of qassay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vocabulary {
    /// Classes and properties.
    Ns,
    /// Code lists: measures, rules, groups, …
    Code,
}

/// The form in which something is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PageForm {
    /// A page for people.
    Html,
    /// Statements as Turtle.
    Turtle,
    /// Statements with their graphs as N-Quads.
    NQuads,
    /// Statements with their graphs as TriG.
    TriG,
    /// Statements as N-Triples.
    NTriples,
    /// Statements as JSON-LD.
    JsonLd,
    /// Names for the search.
    Json,
}

impl ListPage {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Results,
        Self::Comparisons,
        Self::Compare,
        Self::Datasets,
        Self::Systems,
        Self::Profiles,
        Self::Queries,
        Self::Sparql,
        Self::Check,
        Self::New,
        Self::Search,
        Self::About,
    ];

    /// Its path: a segment that no IRI begins with.
    pub fn name(self) -> &'static str {
        match self {
            Self::Results => "results",
            Self::Comparisons => "comparisons",
            Self::Compare => "compare",
            Self::Datasets => "datasets",
            Self::Systems => "systems",
            Self::Profiles => "profiles",
            Self::Queries => "queries",
            Self::Sparql => "sparql",
            Self::Check => "check",
            Self::New => "new",
            Self::Search => "search",
            Self::About => "about",
        }
    }

    fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|list| list.name() == name)
    }
}

impl Vocabulary {
    /// Its path.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ns => "ns",
            Self::Code => "code",
        }
    }

    /// What its terms begin with.
    pub fn namespace(self) -> &'static str {
        match self {
            Self::Ns => qassay::NAMESPACE,
            Self::Code => code::NAMESPACE,
        }
    }
}

impl PageForm {
    /// The forms of statements.
    pub const RDF: [Self; 5] = [Self::Turtle, Self::NQuads, Self::TriG, Self::NTriples, Self::JsonLd];

    /// All forms.
    pub const ALL: [Self; 7] =
        [Self::Html, Self::Turtle, Self::NQuads, Self::TriG, Self::NTriples, Self::JsonLd, Self::Json];

    /// The ending, without a dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Turtle => "ttl",
            Self::NQuads => "nq",
            Self::TriG => "trig",
            Self::NTriples => "nt",
            Self::JsonLd => "jsonld",
            Self::Json => "json",
        }
    }

    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Html => "HTML",
            Self::Turtle => "Turtle",
            Self::NQuads => "N-Quads",
            Self::TriG => "TriG",
            Self::NTriples => "N-Triples",
            Self::JsonLd => "JSON-LD",
            Self::Json => "JSON",
        }
    }

    /// The media type, with the encoding where it has one.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Turtle => "text/turtle; charset=utf-8",
            Self::NQuads => "application/n-quads",
            Self::TriG => "application/trig; charset=utf-8",
            Self::NTriples => "application/n-triples",
            Self::JsonLd => "application/ld+json",
            Self::Json => "application/json",
        }
    }
}

/// The segments of a path, each decoded once; nothing where one is no text or empty.
fn decoded(path: &str) -> Option<Vec<String>> {
    let decode = |part: &str| Some(percent_decode_str(part).decode_utf8().ok()?.into_owned());
    path.split('/').map(|part| decode(part).filter(|text| !text.is_empty())).collect()
}

/// The number of a further page, written in one way.
fn further(text: &str) -> Option<usize> {
    text.parse().ok().filter(|number: &usize| *number > 1 && text == number.to_string())
}

impl Route {
    /// The route of a path behind the base, without a form: that of an IRI, or of a list.
    pub fn parse(path: &str) -> Option<Self> {
        if path.is_empty() || path == "index" {
            return Some(Self::Home);
        }
        let parts = decoded(path)?;
        let words: Vec<&str> = parts.iter().map(String::as_str).collect();
        Some(Self::exact(&words).unwrap_or(Self::Thing(parts)))
    }

    /// The route of segments that have one of their own.
    fn exact(words: &[&str]) -> Option<Self> {
        let own = |word: &str| word.to_owned();
        Some(match *words {
            ["evaluation", key] => Self::Evaluation(own(key)),
            ["evaluation", key, "questions", number] => Self::Questions(own(key), further(number)?),
            ["dataset", slug, version, "questions", number] => {
                Self::DatasetQuestions(own(slug), own(version), further(number)?)
            }
            ["evaluation", key, "obs", experiment, question] => {
                Self::Observation(own(key), own(experiment), own(question))
            }
            ["evaluation", key, "agg", experiment, group] => {
                Self::Aggregates(own(key), own(experiment), own(group))
            }
            ["evaluation", key, part] => Self::EvaluationPart(own(key), own(part)),
            ["comparison", key] => Self::Comparison(own(key)),
            ["dataset", slug, version, "q", question] => {
                Self::Question(own(slug), own(version), own(question))
            }
            ["submission", key, "a", question] => Self::Answer(own(key), own(question)),
            ["query", folder, name] => Self::Query(own(folder), own(name)),
            ["ns"] => Self::Terms(Vocabulary::Ns),
            ["code"] => Self::Terms(Vocabulary::Code),
            ["ns", name] => Self::Term(Vocabulary::Ns, own(name)),
            ["ns", CLASS, name] if is_class(name) => Self::Term(Vocabulary::Ns, own(name)),
            ["code", name] => Self::Term(Vocabulary::Code, own(name)),
            [name] => Self::List(ListPage::find(name)?),
            _ => return None,
        })
    }

    /// The route of the page that shows what has this path, and the place on it where it is known.
    pub fn showing(path: &str) -> Option<(Self, String)> {
        let (path, behind) = path.split_once('#').unwrap_or((path, ""));
        let parts = decoded(path)?;
        let words: Vec<&str> = parts.iter().map(String::as_str).collect();
        let whole = |words: &[&str]| Self::exact(words).map(|route| (route, String::new()));
        match *words {
            ["ns" | "code"] => Some((Self::exact(&words)?, behind.to_owned())),
            ["evaluation", key, "match" | "judgement", experiment, question, ..] => {
                whole(&["evaluation", key, "obs", experiment, question])
            }
            ["evaluation", key, "agg", experiment, group, metric] => {
                let (route, _) = whole(&["evaluation", key, "agg", experiment, group])?;
                Some((route, metric.to_owned()))
            }
            ["evaluation", key, "obs" | "agg", ..] if words.len() == 5 => {
                Some((Self::exact(&words)?, String::new())).filter(|_| !key.is_empty())
            }
            ["evaluation", _, "dist" | "dataid", ..] | ["comparison", _, _, ..] => whole(&words[..2]),
            ["evaluation", _, _, _, ..] => {
                let (route, _) = whole(&words[..3])?;
                let raw: Vec<&str> = path.splitn(4, '/').collect();
                Some((route, raw.get(3).copied().unwrap_or_default().to_owned()))
            }
            ["dataset", _, _, "q", _, _, ..] => whole(&words[..5]),
            ["submission", _, "a", _, _, ..] => whole(&words[..4]),
            ["dataset", _, _, "dist" | "dataid", ..] => Some((Self::thing(&words[..3]), String::new())),
            ["submission", _, "dist" | "dataid" | "system", ..] => {
                Some((Self::thing(&words[..2]), String::new()))
            }
            _ => Some((Self::parse(path)?, String::new())),
        }
    }

    fn thing(words: &[&str]) -> Self {
        Self::Thing(words.iter().map(|word| (*word).to_owned()).collect())
    }

    /// The page of a version of a dataset.
    pub fn version(slug: &str, version: &str) -> Self {
        Self::thing(&["dataset", slug, version])
    }

    /// Further questions of a version of a dataset; nothing of other things.
    pub fn further_questions(&self, number: usize) -> Option<Self> {
        match self {
            Self::Thing(parts) => match parts.as_slice() {
                [kind, slug, version] if kind == "dataset" => {
                    Some(Self::DatasetQuestions(slug.clone(), version.clone(), number))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The numbers of a group of questions of an evaluation, by the concept of the group without namespace.
    pub fn group(key: &str, experiment: &str, group: &str) -> Self {
        Self::Aggregates(key.to_owned(), experiment.to_owned(), group.trim_start_matches("group-").to_owned())
    }

    /// The segments of its path.
    fn segments(&self) -> Vec<String> {
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        match self {
            Self::Home => Vec::new(),
            Self::List(list) => own(&[list.name()]),
            Self::Evaluation(key) => own(&["evaluation", key]),
            Self::Questions(key, number) => own(&["evaluation", key, "questions", &number.to_string()]),
            Self::EvaluationPart(key, part) => own(&["evaluation", key, part]),
            Self::Observation(key, experiment, question) => {
                own(&["evaluation", key, "obs", experiment, question])
            }
            Self::Aggregates(key, experiment, group) => own(&["evaluation", key, "agg", experiment, group]),
            Self::Comparison(key) => own(&["comparison", key]),
            Self::Question(slug, version, question) => own(&["dataset", slug, version, "q", question]),
            Self::DatasetQuestions(slug, version, number) => {
                own(&["dataset", slug, version, "questions", &number.to_string()])
            }
            Self::Answer(key, question) => own(&["submission", key, "a", question]),
            Self::Terms(vocabulary) => own(&[vocabulary.name()]),
            Self::Term(Vocabulary::Ns, name) if is_class(name) => own(&[Vocabulary::Ns.name(), CLASS, name]),
            Self::Term(vocabulary, name) => own(&[vocabulary.name(), name]),
            Self::Query(folder, name) => own(&["query", folder, name]),
            Self::Thing(parts) => parts.clone(),
        }
    }

    /// The path behind the base, encoded: what an IRI has there.
    pub fn path(&self) -> String {
        self.segments().iter().map(|part| segment(part)).collect::<Vec<_>>().join("/")
    }

    /// The names of the folders and of the file of a form, which are safe on every system: a segment that is not is named by
    /// its checksum.
    pub fn file(&self, form: PageForm) -> Vec<String> {
        let mut names: Vec<String> = self.segments().iter().map(|part| file_name(part)).collect();
        if names.is_empty() {
            names.push("index".to_owned());
        }
        if let Some(last) = names.last_mut() {
            last.push('.');
            last.push_str(form.ending());
        }
        names
    }
}

/// The folder of classes: some file systems tell `Evaluation` not from the property `evaluation`.
const CLASS: &str = "class";

fn is_class(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

/// The longest name of a file, in bytes: some systems have 255, with the ending.
const LONGEST: usize = 160;

/// A segment as the name of a file.
fn file_name(part: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._ !(),+@=~".contains(c);
    let is_safe = part.len() <= LONGEST
        && part.chars().all(is_plain)
        && !part.starts_with(['.', '~', ' '])
        && !part.ends_with(['.', ' ']);
    if is_safe { part.to_owned() } else { format!("~{}", &hex(&Sha256::digest(part))[..32]) }
}

/// The route and the form of an address behind the base. A path that is a route as it is has that form which its reader
/// likes best: nothing is stated.
pub fn address(path: &str, mut exists: impl FnMut(&Route) -> bool) -> Option<(Route, Option<PageForm>)> {
    if let Some(route) = Route::parse(path).filter(&mut exists) {
        return Some((route, None));
    }
    let (rest, ending) = path.rsplit_once('.')?;
    let form = PageForm::ALL.into_iter().find(|form| form.ending() == ending)?;
    Some((Route::parse(rest).filter(exists)?, Some(form)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOSTILE: [&str; 11] = [
        "a/b",
        "..",
        ".",
        "%2F",
        "a\0b",
        "👩\u{200d}🔬",
        "</script><img src=x onerror=alert(1)>",
        "x.json",
        "a b#c?d",
        "\u{202e}abc",
        "CON",
    ];

    fn round_trips(route: &Route) {
        let path = route.path();
        assert_eq!(Route::parse(&path).as_ref(), Some(route), "{path}");
        for form in PageForm::ALL {
            let file = route.file(form);
            assert!(file.iter().all(|name| name.len() < 200 && !name.contains(['/', '\\', '\0', '<', '"'])));
            assert!(file.iter().all(|name| name != "." && name != ".."));
            let address = address(&format!("{path}.{}", form.ending()), |known| known == route);
            assert_eq!(address, Some((route.clone(), Some(form))));
        }
    }

    #[test]
    fn hostile_ids_come_back() {
        let long = "é".repeat(2048);
        for id in HOSTILE.into_iter().chain([long.as_str()]) {
            round_trips(&Route::Observation("k".to_owned(), "QA".to_owned(), id.to_owned()));
            round_trips(&Route::Question("s".to_owned(), "v".to_owned(), id.to_owned()));
            round_trips(&Route::DatasetQuestions(id.to_owned(), "v".to_owned(), 12));
        }
    }

    #[test]
    fn parts_are_shown_on_the_page_of_the_whole() {
        for (path, page, place) in [
            ("evaluation/K/match/QA/a%2Fb/1", "evaluation/K/obs/QA/a%2Fb", ""),
            ("evaluation/K/agg/QA/group-all/macroF1", "evaluation/K/agg/QA/group-all", "macroF1"),
            ("evaluation/K/slice/QA", "evaluation/K/slice", "QA"),
            ("dataset/s/v/q/1/gold/curated", "dataset/s/v/q/1", ""),
            ("dataset/s/v/questions/2", "dataset/s/v/questions/2", ""),
            ("submission/K/dist/file#sha256", "submission/K", ""),
            ("code#macroF1", "code", "macroF1"),
            ("comparison/K/rank/1/x/2", "comparison/K", ""),
            ("profile/qassay/1", "profile/qassay/1", ""),
            ("results", "results", ""),
        ] {
            let (route, behind) = Route::showing(path).unwrap();
            assert_eq!((route.path().as_str(), behind.as_str()), (page, place), "{path}");
        }
    }

    proptest! {
        #[test]
        fn every_id_comes_back(id in ".{1,40}", other in "[a-z]{1,8}") {
            round_trips(&Route::Observation(other.clone(), "QA".to_owned(), id.clone()));
            round_trips(&Route::Thing(vec!["links".to_owned(), other, id]));
        }
    }
}
