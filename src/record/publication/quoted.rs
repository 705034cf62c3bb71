//! QUOTED: which inputs a graph or a file of an archive quotes, and so by whose licences it goes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use memchr::memmem;

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::base::vocab::dct;
use crate::kb::answered_by::AnsweredBy;
use crate::kb::snapshot::AnswerSnapshot;
use crate::record::archived::{Archived, ArchivedEvaluation, RegisteredGraph};
use crate::record::publication::act::Publication;
use crate::record::publication::licence::Licence;
use crate::record::publication::metadata::RecordInput;
use crate::record::publication::rights::{LicensedInput, Right};
use crate::sources::archive::PUBLICATION;
use crate::sources::archive::hashing::read_file;

/// A file of an input, as its record describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribedFile {
    /// The IRI of the input.
    pub thing: String,
    /// The checksum.
    pub sha256: String,
    /// The size in bytes.
    pub bytes: u64,
    /// The media type.
    pub media_type: String,
    /// Who published the input, where that is known.
    pub publisher: Option<String>,
    /// Where it was published, where that is known.
    pub source: Option<String>,
}

/// Every input of an archive, as the records describe it.
#[derive(Debug)]
pub struct DescribedInputs {
    /// By their IRIs.
    inputs: BTreeMap<String, LicensedInput>,
    files: Vec<DescribedFile>,
}

/// What the evaluations that are published are made of.
#[derive(Debug)]
pub struct Quotations<'a> {
    archived: &'a Archived,
    described: &'a DescribedInputs,
    /// Inputs by their IRIs whose licences are stated beside the records.
    stated: BTreeMap<String, LicensedInput>,
    /// The inputs of each evaluation that is published.
    evaluations: Vec<EvaluationInputs<'a>>,
}

/// The inputs of an evaluation, by their IRIs.
#[derive(Debug)]
struct EvaluationInputs<'a> {
    evaluation: &'a ArchivedEvaluation,
    dataset: String,
    submission: String,
    /// Kind and IRI.
    references: Vec<(&'static str, String)>,
    /// The knowledge bases that answered the gold queries and those of the system: what is said instead of one that is known
    /// by its address.
    bases: [Option<String>; 2],
}

impl DescribedInputs {
    /// Those of an archive.
    ///
    /// # Errors
    /// Where the records cannot be asked.
    pub fn read(archived: &Archived) -> Result<Self> {
        let alone = LicencesAlone::read(archived)?;
        let mut known = BTreeSet::new();
        let mut inputs: BTreeMap<String, LicensedInput> = BTreeMap::new();
        let mut files: Vec<DescribedFile> = Vec::new();
        for row in &archived.metadata.rows("store/rights")?.rows {
            let Ok([thing, file, title, bytes, media_type, licence, publisher, source]) =
                <&[String; 8]>::try_from(row.as_slice())
            else {
                continue;
            };
            let input = inputs.entry(thing.clone()).or_default();
            (input.iri, input.title) = (thing.clone(), title.clone());
            let is_own = !licence.is_empty() && !alone.have(thing, licence);
            input.licences.extend(is_own.then(|| licence.clone()));
            let described = DescribedFile {
                thing: thing.clone(),
                sha256: tail(file).to_owned(),
                bytes: bytes.parse().unwrap_or_default(),
                media_type: media_type.rsplit("/media-types/").next().unwrap_or_default().to_owned(),
                publisher: (!publisher.is_empty()).then(|| publisher.clone()),
                source: (!source.is_empty()).then(|| source.clone()),
            };
            if known.insert((thing.clone(), described.sha256.clone())) {
                files.push(described);
            }
        }
        Ok(Self { inputs, files })
    }

    fn input(&self, thing: &str) -> LicensedInput {
        self.inputs.get(thing).cloned().unwrap_or_else(|| LicensedInput {
            iri: thing.to_owned(),
            title: thing.to_owned(),
            licences: BTreeSet::new(),
        })
    }
}

/// The licences of inputs that only publications state, beside the records of the inputs: each of them speaks for itself.
#[derive(Debug, Default)]
pub(crate) struct LicencesAlone(BTreeSet<(String, String)>);

impl LicencesAlone {
    /// Those that publications state, as long as no other record was seen.
    pub(crate) fn of(publications: &[Publication]) -> Self {
        Self(publications.iter().flat_map(|one| one.by.stated.iter().cloned()).collect())
    }

    /// Takes away what a record that is none of a publication states, too.
    pub(crate) fn see(&mut self, record: &[u8]) {
        if self.0.is_empty() || memmem::find(record, dct::LICENSE.as_bytes()).is_none() {
            return;
        }
        let record = String::from_utf8_lossy(record);
        for line in record.lines() {
            let mut terms = line.split(' ').map(|term| term.trim_matches(['<', '>']));
            if let [Some(input), Some(dct::LICENSE), Some(licence)] =
                [terms.next(), terms.next(), terms.next()]
            {
                self.0.remove(&(input.to_owned(), licence.to_owned()));
            }
        }
    }

    /// Whether only publications state a licence of an input.
    pub(crate) fn have(&self, input: &str, licence: &str) -> bool {
        self.0.contains(&(input.to_owned(), licence.to_owned()))
    }

    fn read(archived: &Archived) -> Result<Self> {
        let archive = &archived.archive;
        let mut alone = Self::of(&Publication::all(archive)?);
        if alone.0.is_empty() {
            return Ok(alone);
        }
        let of_publications: BTreeSet<PathBuf> = archive.records_of(PUBLICATION)?.into_iter().collect();
        for path in archive.records()?.into_iter().filter(|path| !of_publications.contains(path)) {
            alone.see(&read_file(&path).map_err(|error| Error::io("read the record", &path, &error))?);
        }
        Ok(alone)
    }
}

impl<'a> Quotations<'a> {
    /// What these evaluations are made of. `stated` are licences beside those of the records: the IRI of the input, that of the
    /// licence.
    ///
    /// # Errors
    /// Where answers cannot be read.
    pub fn new(
        archived: &'a Archived,
        described: &'a DescribedInputs,
        chosen: &[&'a ArchivedEvaluation],
        stated: &BTreeSet<(String, String)>,
    ) -> Result<Self> {
        // Whoever states one knows better than the record.
        let licensed = |(input, licence): &(String, String)| {
            let licences = BTreeSet::from([licence.clone()]);
            (input.clone(), LicensedInput { licences, ..described.input(input) })
        };
        let stated = stated.iter().map(licensed).collect();
        let mut quotations = Self { archived, described, stated, evaluations: Vec::new() };
        for evaluation in chosen {
            let inputs = quotations.inputs_of(evaluation)?;
            quotations.evaluations.push(inputs);
        }
        Ok(quotations)
    }

    fn inputs_of(&self, evaluation: &'a ArchivedEvaluation) -> Result<EvaluationInputs<'a>> {
        let base = |sha256: &Option<String>| -> Result<Option<String>> {
            let Some(sha256) = sha256 else { return Ok(None) };
            let snapshot = AnswerSnapshot::read(&self.archived.source(sha256)?)?;
            Ok(Some(match &snapshot.answered_by {
                AnsweredBy::Snapshot { iri, .. } => iri.clone(),
                AnsweredBy::Endpoint { .. } => snapshot.iri(self.archived.archive.mint()),
            }))
        };
        let reference = |(kind, sha256): &(crate::references::ReferenceKind, String)| {
            (kind.name(), self.thing(kind.name(), sha256))
        };
        Ok(EvaluationInputs {
            evaluation,
            dataset: self.thing("dataset", &evaluation.gold),
            submission: self.thing("submission", &evaluation.answers),
            references: evaluation.references.iter().map(reference).collect(),
            bases: [base(&evaluation.gold_answers)?, base(&evaluation.executed_answers)?],
        })
    }

    /// The input of a kind that has a file; of what no record describes, the IRI of its bytes.
    fn thing(&self, kind: &str, sha256: &str) -> String {
        let of_kind = format!("/{kind}/");
        let fits = |file: &&DescribedFile| file.sha256 == sha256 && file.thing.contains(&of_kind);
        let found = self.described.files.iter().find(fits).map(|file| file.thing.clone());
        found.unwrap_or_else(|| self.archived.archive.mint().file(sha256))
    }

    /// Whether a graph may go.
    pub fn right_to_graph(&self, graph: &RegisteredGraph) -> Right {
        let mint = self.archived.archive.mint();
        let quoted: BTreeSet<&str> = match mint.graph_kind(&graph.name) {
            "scores" | "measures" | "groups" | "prov" | "comparison" | "vocabulary" => {
                return Right::Goes(None);
            }
            "match" => {
                let own = self.evaluations.iter().filter(|one| one.evaluation.iri == graph.subject);
                own.flat_map(EvaluationInputs::all).collect()
            }
            "messages" => {
                let ran = |one: &&EvaluationInputs<'_>| {
                    one.evaluation.digests.iter().any(|(execution, _)| *execution == graph.subject)
                };
                self.evaluations.iter().filter(ran).flat_map(EvaluationInputs::all).collect()
            }
            "gold" => self.evaluations.iter().flat_map(EvaluationInputs::of_gold).collect(),
            "executed" => self.evaluations.iter().flat_map(EvaluationInputs::of_executed).collect(),
            "answers" => self.of_answers(&graph.subject),
            _ => BTreeSet::from([graph.subject.as_str()]),
        };
        self.right_to_quote(&quoted)
    }

    /// Whether a file may go.
    pub fn right_to_file(&self, sha256: &str) -> Right {
        let is_answered = |one: &&EvaluationInputs<'_>| {
            let EvaluationInputs { evaluation, .. } = one;
            [&evaluation.gold_answers, &evaluation.executed_answers]
                .into_iter()
                .flatten()
                .any(|known| known == sha256)
        };
        let answered: BTreeSet<&str> =
            self.evaluations.iter().filter(is_answered).flat_map(|one| one.of_answers(sha256)).collect();
        if !answered.is_empty() {
            return self.right_to_quote(&answered);
        }
        let all: BTreeSet<&str> = self.things_of(sha256).collect();
        // What others use the same bytes as says nothing of what they are here.
        let used: BTreeSet<&str> = self.evaluations.iter().flat_map(EvaluationInputs::all).collect();
        let own: BTreeSet<&str> = all.intersection(&used).copied().collect();
        let things = if own.is_empty() { all } else { own };
        let inputs: Vec<LicensedInput> = things.iter().map(|thing| self.input(thing)).collect();
        // A file that is two things is copied by the licences of both.
        let mut rights = inputs.iter().map(Right::to_copy);
        let stays = rights.clone().find(|right| matches!(right, Right::Stays(_)));
        stays
            .or_else(|| rights.next())
            .unwrap_or_else(|| Right::Stays("no record says what it is".to_owned()))
    }

    /// The things that a file is; exchanges with a system are what this answered.
    fn things_of<'s>(&'s self, sha256: &'s str) -> impl Iterator<Item = &'s str> {
        let described = self.described.files.iter().filter(move |file| file.sha256 == sha256);
        described.flat_map(|file| {
            let is_asking = file.thing.contains("/asking/");
            let asked = self.evaluations.iter().filter(move |_| is_asking).map(|one| one.submission.as_str());
            asked.chain((!is_asking).then_some(file.thing.as_str()))
        })
    }

    /// What the answers of a knowledge base quote: it, and the queries that it was asked.
    fn of_answers(&self, snapshot: &str) -> BTreeSet<&str> {
        let of = |graph: &&RegisteredGraph| graph.subject == snapshot;
        let graphs = self.archived.graphs.iter().filter(of);
        graphs
            .flat_map(|graph| self.evaluations.iter().flat_map(|one| one.of_answers(&graph.sha256)))
            .collect()
    }

    fn right_to_quote(&self, things: &BTreeSet<&str>) -> Right {
        if things.is_empty() {
            return Right::Stays("no record says what it quotes".to_owned());
        }
        let inputs: Vec<LicensedInput> = things.iter().map(|thing| self.input(thing)).collect();
        Right::to_quote(&inputs.iter().collect::<Vec<_>>())
    }

    fn input(&self, thing: &str) -> LicensedInput {
        self.stated.get(thing).cloned().unwrap_or_else(|| self.described.input(thing))
    }

    /// The inputs of all evaluations with their files, each once, and what each is for.
    pub fn described(&self) -> Vec<RecordInput> {
        let mut parts: Vec<(&str, &str)> = Vec::new();
        for one in &self.evaluations {
            parts.extend([("dataset", one.dataset.as_str()), ("submission", one.submission.as_str())]);
            parts.extend(one.references.iter().map(|(kind, thing)| (*kind, thing.as_str())));
            parts.extend(one.bases.iter().flatten().map(|thing| ("knowledge base", thing.as_str())));
        }
        let mut known = BTreeSet::new();
        parts.retain(|part| known.insert(*part));
        let files = parts.into_iter().flat_map(|(part, thing)| {
            self.described.files.iter().filter(move |file| file.thing == thing).map(move |file| (part, file))
        });
        files.map(|(part, file)| self.described_file(part, file)).collect()
    }

    fn described_file(&self, part: &str, file: &DescribedFile) -> RecordInput {
        let input = self.input(&file.thing);
        let licence = input.licences.iter().find_map(|iri| Licence::with_iri(iri));
        RecordInput {
            iri: file.thing.clone(),
            part: part.to_owned(),
            title: input.title,
            file: self.archived.archive.mint().file(&file.sha256),
            sha256: file.sha256.clone(),
            bytes: file.bytes,
            media_type: file.media_type.clone(),
            source: file.source.clone(),
            publisher: file.publisher.clone(),
            licence: licence.map(Licence::stated),
            path: None,
            withheld: None,
        }
    }

    /// Where a file was published.
    pub fn source_of(&self, sha256: &str) -> Option<&str> {
        let mut files = self.described.files.iter().filter(|file| file.sha256 == sha256);
        files.find_map(|file| file.source.as_deref())
    }

    /// The inputs that a word means: an IRI, the beginning of a checksum, a title or a kind (`dataset`, `submission`,
    /// `links`, …) among those of the evaluations.
    ///
    /// # Errors
    /// Where it means none.
    pub fn meant(&self, word: &str) -> Result<BTreeSet<String>> {
        let all = self.described();
        let is_checksum = word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let means = |input: &&RecordInput| {
            input.iri == word
                || input.part.eq_ignore_ascii_case(word)
                || input.title.eq_ignore_ascii_case(word)
                || input.title == format!("Answers of {word}")
                || (is_checksum && input.sha256.starts_with(&word.to_ascii_lowercase()))
        };
        let found: BTreeSet<String> = all.iter().filter(means).map(|input| input.iri.clone()).collect();
        if found.is_empty() {
            let known = all.iter().map(|input| {
                format!("{} ({}, {})", text::name(&input.title), input.part, &input.sha256[..8])
            });
            return Err(Error::input(format!("no input is called `{}`", text::name(word)))
                .allowed(known.collect::<Vec<_>>().join("; ")));
        }
        Ok(found)
    }
}

impl EvaluationInputs<'_> {
    fn all(&self) -> impl Iterator<Item = &str> {
        let references = self.references.iter().map(|(_, thing)| thing);
        let all = [&self.dataset, &self.submission].into_iter().chain(references);
        all.chain(self.bases.iter().flatten()).map(String::as_str)
    }

    /// What refreshed gold answers quote.
    fn of_gold(&self) -> impl Iterator<Item = &str> {
        let base = self.bases[0].as_ref();
        base.into_iter().flat_map(|base| [base.as_str(), self.dataset.as_str()])
    }

    /// What executed answers quote.
    fn of_executed(&self) -> impl Iterator<Item = &str> {
        let base = self.bases[1].as_ref();
        base.into_iter().flat_map(|base| [base.as_str(), self.submission.as_str()])
    }

    /// What the answers with this checksum quote.
    fn of_answers(&self, sha256: &str) -> Vec<&str> {
        let is = |known: &Option<String>| known.as_deref() == Some(sha256);
        let gold = is(&self.evaluation.gold_answers).then(|| self.of_gold());
        let executed = is(&self.evaluation.executed_answers).then(|| self.of_executed());
        gold.into_iter().flatten().chain(executed.into_iter().flatten()).collect()
    }
}

/// The end of an IRI.
fn tail(iri: &str) -> &str {
    iri.rsplit('/').next().unwrap_or_default()
}
