//! The words that several verbs share.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueHint};
use qassay::base::error::Result;
use qassay::base::limits::{KB_QUERY_MEMORY, KB_QUERY_ROWS, KB_QUERY_TIME};
use qassay::base::parallel::{MOST_THREADS, with_threads};
use qassay::kb::allowance::Allowance;
use qassay::kb::ask::Limits;
use qassay::kb::remote::StoreAddress;
use qassay::profiles::choices::Choices;
use qassay::profiles::link_kind::LinkKind;
use qassay::profiles::loaders::{Loader, Part};
use qassay::profiles::same_as::Mode;
use qassay::references::ReferenceKind;
use qassay::workbench::Workbench;
use qassay::workbench::request::Request;

/// Where the archive is
#[derive(Debug, Clone, Args)]
pub(super) struct ArchivePlace {
    /// The archive folder
    #[arg(long, value_name = "DIR", default_value = "qassay-archive", value_hint = ValueHint::DirPath)]
    pub(super) archive: PathBuf,
}

impl ArchivePlace {
    /// A workbench before the archive.
    pub(super) fn workbench(&self) -> Workbench {
        Workbench::new(&self.archive)
    }
}

/// Where the archive is, and what its IRIs begin with
#[derive(Debug, Clone, Args)]
pub(super) struct BasedArchive {
    #[command(flatten)]
    place: ArchivePlace,
    /// The base of a new archive's IRIs [default: <https://w3id.org/qassay/>]
    ///
    /// What they begin with, such as `https://example.org/qa/`: a place on the web of your own, where it will be published.
    /// Another archive must have this base already (`qassay upgrade --base` gives it).
    #[arg(long, value_name = "IRI", value_hint = ValueHint::Url)]
    base: Option<String>,
}

impl BasedArchive {
    /// A workbench before the archive.
    ///
    /// # Errors
    /// Where the base is none, or the archive has another one.
    pub(super) fn workbench(&self) -> Result<Workbench> {
        let bench = self.place.workbench();
        match &self.base {
            Some(base) => bench.under_base(base),
            None => Ok(bench),
        }
    }
}

/// How many threads work
#[derive(Debug, Args)]
pub(super) struct Threads {
    /// How many threads compute at once [default: as many as processors]
    ///
    /// What comes out is the same with any number, to the byte.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_THREADS))]
    threads: Option<u64>,
}

impl Threads {
    /// Does something with as many threads.
    pub(super) fn run<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        let number = self.threads.and_then(|number| NonZeroUsize::new(usize::try_from(number).ok()?));
        with_threads(number, work)?
    }
}

/// The choices that decide numbers
#[derive(Debug, Args)]
pub(super) struct Scoring {
    /// A file of links, NAME[@VERSION] of a link set, or URL of an endpoint
    ///
    /// A file is N-Triples, N-Quads, Turtle, TriG, RDF/XML or two columns of IRIs; packed too. A link set is registered
    /// (see `qassay links`). An endpoint is asked for the links of all resources that are named. May be given again.
    #[arg(long, value_name = "LINKS", value_hint = ValueHint::FilePath)]
    links: Vec<PathBuf>,
    /// Follow these links beside owl:sameAs, separated by commas
    #[arg(long, hide_short_help = true, value_enum, value_name = "KIND", value_delimiter = ',')]
    link_kind: Vec<LinkKind>,
    /// A file of labels: a text in an answer names the resources called so
    ///
    /// The labels are rdfs:label, skos:prefLabel, skos:altLabel; for qassay, and for the gerbil profiles, which read
    /// rdfs:label only. Or NAME[@VERSION] of a pinned knowledge base, whose labels they are, or the URL of an endpoint,
    /// which is asked for those that are needed (`--kb` alone brings no labels and no types). May be given again.
    #[arg(long, value_name = "LABELS", value_hint = ValueHint::FilePath)]
    labels: Vec<PathBuf>,
    /// A file of rdf:type statements, for AIT2KB
    ///
    /// The classes of the answers count where neither file nor query says the types of the items. Or a knowledge base or
    /// endpoint, as for `--labels`. May be given again.
    #[arg(long, value_name = "TYPES", value_hint = ValueHint::FilePath)]
    types: Vec<PathBuf>,
    /// A file of rdfs:subClassOf statements, for AIT2KB
    ///
    /// For its hierarchical measures. Or a knowledge base or endpoint, as for `--labels`.
    #[arg(long, value_name = "CLASSES", value_hint = ValueHint::FilePath)]
    classes: Vec<PathBuf>,
    /// A table (CSV, TSV) with the columns question and type: the types of the questions in place of those of the dataset;
    /// for the profiles that group questions by type
    #[arg(long, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    question_types: Option<PathBuf>,
    /// A table in which people say which answers are correct
    ///
    /// In place of matching: CSV or TSV with the columns question, answer, verdict (correct, incorrect, repeated, inexact)
    /// and assessor (optional); for clef-2004. May be given again.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    assessments: Vec<PathBuf>,
    /// How gerbil finds equal resources [default: closure with --links, else static]
    ///
    /// For the gerbil profiles.
    #[arg(long, value_enum, value_name = "MODE")]
    same_as: Option<Mode>,
    /// The language of the questions [in the gerbil profiles: en]
    ///
    /// The gerbil profiles leave out questions without a text in it.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// Which questions of the gold file count, and with which text and answers [default: plain]
    #[arg(long, value_enum, value_name = "LOADER")]
    loader: Option<Loader>,
    /// Only one of the two tasks of the gold file, told apart by the flag `hybrid` (QALD-5)
    #[arg(long, hide_short_help = true, value_enum, value_name = "PART")]
    part: Option<Part>,
    /// The ranks at which measures such as accuracy at N look, separated by commas [default: those of the profile]
    #[arg(long, hide_short_help = true, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    cutoffs: Vec<u64>,
    /// The knowledge base on which queries are run: NAME[@VERSION] or URL
    ///
    /// They are run where gold answers are refreshed or a submission gives queries and no answers. It is NAME or
    /// NAME@VERSION of a pinned one, the URL of an endpoint, or what one of them answered before (a file or key of an
    /// answer snapshot). May be given again with answer snapshots: the one that has all queries of the gold standard, or of
    /// a submission, answers them.
    #[arg(long, value_name = "KB")]
    kb: Vec<String>,
    /// How much a query may use
    #[command(flatten)]
    limiting: Limiting,
}

impl Scoring {
    /// What is to be scored how, with profiles and experiment types that are named elsewhere.
    pub(super) fn request(&self, profiles: &[String], experiments: &[String]) -> Result<Request> {
        let sorted = |mut cutoffs: Vec<u64>| {
            cutoffs.sort_unstable();
            cutoffs.dedup();
            cutoffs
        };
        let choices = Choices {
            language: self.language.clone(),
            same_as: self.same_as,
            experiments: (!experiments.is_empty()).then(|| experiments.to_vec()),
            loader: self.loader,
            part: self.part,
            cutoffs: sorted(self.cutoffs.clone()),
            link_kinds: LinkKind::beside_same_as(&self.link_kind),
        };
        let of_kind =
            |kind, words: &[PathBuf]| words.iter().map(|word| (kind, word.clone())).collect::<Vec<_>>();
        let references = [
            of_kind(ReferenceKind::Links, &self.links),
            of_kind(ReferenceKind::Labels, &self.labels),
            of_kind(ReferenceKind::Classes, &self.classes),
            of_kind(ReferenceKind::Types, &self.types),
            of_kind(ReferenceKind::QuestionTypes, self.question_types.as_slice()),
            of_kind(ReferenceKind::Assessments, &self.assessments),
        ];
        Ok(Request {
            choices: Arc::new(choices),
            references: references.concat(),
            kb: self.kb.clone(),
            allowance: self.limiting.allowance(),
            ..Request::with_profiles(profiles.iter().map(String::as_str))?
        })
    }
}

/// Which server has the graphs that are asked, in place of the memory of this program
#[derive(Debug, Clone, Default, Args)]
pub(super) struct StorePlace {
    /// Ask a SPARQL 1.1 server, not the embedded store
    ///
    /// It is the address for queries. What is found is the same.
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// Where that server takes graphs (Graph Store Protocol)
    ///
    /// What it does not have is sent there.
    #[arg(long, hide_short_help = true, value_name = "URL", requires = "store")]
    store_graphs: Option<String>,
}

impl StorePlace {
    /// As the library has it.
    pub(super) fn address(&self) -> Option<StoreAddress> {
        let queries = self.store.clone()?;
        Some(StoreAddress { queries, graphs: self.store_graphs.clone() })
    }

    /// The words of a process that asks the same server.
    pub(super) fn words(&self) -> impl Iterator<Item = OsString> {
        let there = self.address();
        let options = there.iter().flat_map(StoreAddress::options);
        let words = options.flat_map(|(name, value)| [format!("--{name}").into(), value.into()]);
        words.collect::<Vec<OsString>>().into_iter()
    }
}

/// How much a query may use
#[derive(Debug, Args)]
pub(super) struct Limiting {
    /// The longest that a query may run
    #[arg(long, value_name = "SECONDS", default_value_t = KB_QUERY_TIME.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// The most rows that a query may have
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = KB_QUERY_ROWS)]
    max_rows: u64,
    /// The most memory that a query may use beside the knowledge base, in megabytes
    #[arg(long, hide_short_help = true, value_name = "MB", default_value_t = KB_QUERY_MEMORY >> 20, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory: u64,
    /// How many queries run at the same time [default: as many as there are processors; 2 with an endpoint]
    #[arg(long, hide_short_help = true, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl Limiting {
    /// As the library has it.
    pub(super) fn allowance(&self) -> Allowance {
        let time = Duration::from_secs(self.timeout);
        Allowance { limits: Limits { time, rows: self.max_rows, memory: self.memory << 20 }, jobs: self.jobs }
    }
}
