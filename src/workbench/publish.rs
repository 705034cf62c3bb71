//! Publishes evaluations and comparisons: who, when, under which licence; what goes and what is left out; every form of
//! metadata; one folder or one file.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;

use crate::base::error::{Error, Result};
use crate::base::watch::Watcher;
use crate::record::archived::comparisons::ArchivedComparison;
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::export::{Exporter, Fate, Gathered};
use crate::record::package::{Content, bagged, refuse_taken, with_sums, write_folder, write_zip};
use crate::record::publication::act::Publication;
use crate::record::publication::describe::DescribedRecord;
use crate::record::publication::licence::Licence;
use crate::record::publication::metadata::{FileRole, RecordFile, RecordMetadata, WithheldPart};
use crate::record::publication::names::{PublishedNames, as_published, is_name_iri};
use crate::record::publication::quoted::{DescribedInputs, Quotations};
use crate::record::publication::remembered::{PublicationMemory, PublishedParts};
use crate::record::publication::rights::Right;
use crate::record::publication::signature::SigningKey;
use crate::record::rerun::command;
use crate::record::results::Results;
use crate::record::results::kept::KeptGraphs;
use crate::record::summaries::Summary;
use crate::record::summaries::kept::SummaryReader;
use crate::record::verify::listing::{SIGNATURE, SUMS};
use crate::report::forms::landing::landing;
use crate::report::forms::{forms, tables};
use crate::scoring::groups::{ALL, PROCESSED};
use crate::sources::archive::PUBLICATION;
use crate::sources::archive::stored::StoredFile;
use crate::workbench::Workbench;
use crate::workbench::publish_request::{PublishRequest, day, publisher};

/// How a record is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Package {
    /// A folder, for any web host.
    Folder,
    /// A zip, for repositories.
    Zip,
}

impl Package {
    /// How a place is packed, by its name.
    ///
    /// # Errors
    /// Where that names a packing that no record has.
    pub fn of(out: &str) -> Result<Self> {
        let ending = Path::new(out).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("zip") => Ok(Self::Zip),
            Some("tar" | "gz" | "tgz" | "bz2" | "xz" | "zst" | "7z" | "rar") => {
                Err(Error::input("a record is not packed in this way")
                    .in_file(out)
                    .allowed("a new folder, or a new file that ends with .zip"))
            }
            _ => Ok(Self::Folder),
        }
    }
}

/// A record that is ready to be written.
#[derive(Debug)]
pub struct ReadyRecord {
    /// What it says of itself.
    pub metadata: RecordMetadata,
    /// Whether the archive had this publication before.
    pub is_known: bool,
    /// The day on which it was withdrawn, where it is published again.
    pub withdrawn: Option<String>,
    publication: Publication,
    files: BTreeMap<String, Content>,
    /// The graphs and files that stay, by their paths.
    left_out: Vec<(String, StoredFile)>,
    signing: Option<SigningKey>,
}

impl ReadyRecord {
    /// Its files, by their paths, without the list of their checksums.
    pub fn contents(&self) -> &BTreeMap<String, Content> {
        &self.files
    }

    /// What a site needs of it.
    pub fn parts(&self) -> PublishedParts {
        PublishedParts::of(&self.metadata, &self.files, &self.left_out)
    }

    /// The publication that it is the record of.
    pub fn publication(self) -> Publication {
        self.publication
    }

    /// The record with a signature over its list of checksums, which names the publication.
    #[must_use]
    pub fn signed_with(self, key: SigningKey) -> Self {
        Self { signing: Some(key), ..self }
    }

    /// The paths of its files with their sizes, in order.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub fn files(&self) -> Result<Vec<(&str, u64)>> {
        self.files.iter().map(|(path, content)| Ok((path.as_str(), content.digest()?.1))).collect()
    }
}

/// Makes records of an archive ready: what was published before is known, and records are read once.
#[derive(Debug)]
pub struct PublishingDesk<'a> {
    archived: &'a Archived,
    exporter: Exporter<'a>,
    kept: KeptGraphs<'a>,
    summaries: SummaryReader<'a>,
    inputs: DescribedInputs,
    earlier: Vec<Publication>,
}

impl<'a> PublishingDesk<'a> {
    /// A desk before an archive.
    ///
    /// # Errors
    /// Where a record cannot be read.
    pub fn new(archived: &'a Archived) -> Result<Self> {
        let earlier = Publication::all(&archived.archive)?;
        let kept = KeptGraphs::open(&archived.archive)?;
        let inputs = DescribedInputs::read(archived)?;
        let summaries = SummaryReader::new(archived);
        Ok(Self { archived, exporter: Exporter::new(archived)?, kept, summaries, inputs, earlier })
    }

    /// The latest version of everything that was published, in the order of their IRIs.
    pub fn latest(&self) -> Vec<&Publication> {
        Publication::latest(&self.earlier)
    }

    /// The IRIs of what was withdrawn, and not published again.
    pub fn withdrawn(&self) -> BTreeSet<&str> {
        let gone = self.latest().into_iter().filter(|one| one.withdrawn.is_some());
        gone.map(|one| one.of.as_str()).collect()
    }

    /// The IRIs of everything that the archive has, and how many of these were withdrawn, or have a part that was: those are left
    /// out.
    pub fn all(&self) -> (Vec<String>, usize) {
        let gone = self.withdrawn();
        let evaluations =
            self.archived.evaluations.iter().map(|one| (&one.iri, gone.contains(one.iri.as_str())));
        let is_gone = |one: &ArchivedComparison| {
            [&one.iri].into_iter().chain(&one.evaluations).any(|iri| gone.contains(iri.as_str()))
        };
        let comparisons = self.archived.comparisons.iter().map(|one| (&one.iri, is_gone(one)));
        let (stay, wanted): (Vec<_>, Vec<_>) =
            evaluations.chain(comparisons).partition(|(_, is_gone)| *is_gone);
        (wanted.into_iter().map(|(iri, _)| iri.clone()).collect(), stay.len())
    }

    /// Makes a record ready: nothing is written.
    ///
    /// # Errors
    /// Where nobody says who publishes; where no evaluation, or several, are called so; where a file is not here; where a
    /// licence is stated for an input that there is not.
    pub fn ready(&self, request: &PublishRequest) -> Result<ReadyRecord> {
        let (archived, earlier) = (self.archived, &self.earlier);
        let (evaluations, comparisons) = chosen(archived, &request.words)?;
        let stated = self.stated_licences(&evaluations, request)?;
        let of = thing(archived, &evaluations, &comparisons);
        self.refuse_withdrawn(&of, &evaluations)?;
        let latest = earlier.iter().filter(|one| one.of == of).max_by_key(|one| one.number);
        let by = publisher(request, latest, earlier.iter().max_by_key(|one| &one.day), stated)?;
        let quotations = Quotations::new(archived, &self.inputs, &evaluations, &by.stated)?;
        let wanted = (request.words.as_slice(), request.names.as_ref());
        let before = (latest, earlier.as_slice(), by.publisher.iri.as_str());
        let names = PublishedNames::of(archived, &evaluations, wanted, before);
        let drafted = self.draft(&evaluations, &comparisons, &quotations, &names);
        let draft = Publication {
            of,
            number: latest.map_or(1, |latest| latest.number + 1),
            day: day(request)?,
            by,
            members: BTreeSet::new(),
            graphs: BTreeSet::new(),
            withheld: Vec::new(),
            withdrawn: None,
        };
        // What was computed since then changes nothing of what was published.
        let public = latest.filter(|latest| latest.withdrawn.is_none());
        let same = public.map(|latest| Ok((latest, drafted.publication(draft.clone(), Some(latest))?)));
        let same = same.transpose()?.filter(|(latest, (same, _))| same.repeats(latest));
        if let Some((latest, (_, gathered))) = same {
            return drafted.record(latest.clone(), gathered, self.first_day(latest), true);
        }
        let (publication, gathered) = drafted.publication(draft, None)?;
        let first_day = self.first_day(&publication).to_owned();
        let mut record = drafted.record(publication, gathered, &first_day, false)?;
        record.withdrawn =
            latest.filter(|latest| latest.withdrawn.is_some()).map(|latest| latest.day.clone());
        Ok(record)
    }

    /// The licences that the publisher states, by the IRIs of the inputs.
    fn stated_licences(
        &self,
        evaluations: &[&ArchivedEvaluation],
        request: &PublishRequest,
    ) -> Result<BTreeSet<(String, String)>> {
        let quotations = Quotations::new(self.archived, &self.inputs, evaluations, &BTreeSet::new())?;
        let mut stated: BTreeMap<String, &'static Licence> = BTreeMap::new();
        for (word, licence) in &request.input_licences {
            for input in quotations.meant(word)? {
                if let Some(other) = stated.insert(input.clone(), licence).filter(|other| other != licence) {
                    return Err(Error::input(format!("two licences are stated for <{input}>"))
                        .allowed(format!("one: {} or {}", other.spdx, licence.spdx)));
                }
            }
        }
        Ok(stated.into_iter().map(|(input, licence)| (input, licence.iri.clone())).collect())
    }

    /// An error where a part of something was withdrawn.
    fn refuse_withdrawn(&self, of: &str, evaluations: &[&ArchivedEvaluation]) -> Result<()> {
        let gone = self.withdrawn();
        match evaluations.iter().find(|one| one.iri != of && gone.contains(one.iri.as_str())) {
            Some(one) => Err(Error::input(format!("<{}>, which goes with it, was withdrawn", one.iri))
                .hint("publish that again first, by itself, or leave it out")),
            None => Ok(()),
        }
    }

    /// The record of something as it was published.
    ///
    /// # Errors
    /// Where something of it is no longer here.
    pub fn published(&self, publication: &Publication) -> Result<ReadyRecord> {
        let words: Vec<String> = publication.members.iter().cloned().collect();
        let (evaluations, comparisons) = chosen(self.archived, &words)
            .map_err(|error| error.hint(format!("it was published as <{}>", publication.iri())))?;
        let quotations = Quotations::new(self.archived, &self.inputs, &evaluations, &publication.by.stated)?;
        let names = PublishedNames::default();
        let drafted = self.draft(&evaluations, &comparisons, &quotations, &names);
        let gathered = drafted.as_published(publication)?;
        drafted.record(publication.clone(), gathered, self.first_day(publication), true)
    }

    fn draft<'d>(
        &'d self,
        evaluations: &'d [&'d ArchivedEvaluation],
        comparisons: &'d [&'d ArchivedComparison],
        quotations: &'d Quotations<'d>,
        names: &'d PublishedNames,
    ) -> RecordDraft<'d, 'a> {
        RecordDraft { desk: self, evaluations, comparisons, quotations, names }
    }

    /// The day of the first version.
    fn first_day<'d>(&'d self, of: &'d Publication) -> &'d str {
        self.earlier.iter().find(|one| one.of == of.of).map_or(&of.day, |one| &one.day)
    }
}

impl Workbench {
    /// Makes a record ready: nothing is written.
    ///
    /// # Errors
    /// As [`PublishingDesk::ready`] says.
    pub fn ready_record(&self, request: &PublishRequest, watcher: &dyn Watcher) -> Result<ReadyRecord> {
        watcher.check()?;
        PublishingDesk::new(&self.archived()?)?.ready(request)
    }

    /// Keeps the publication of a record in the archive, then writes the record: a new folder or a new zip; as a bag where that
    /// is wanted.
    ///
    /// # Errors
    /// Where something is there already, or it cannot be written.
    pub fn publish(&self, record: ReadyRecord, out: &Path, package: Package, as_bag: bool) -> Result<()> {
        refuse_taken(out)?;
        let archive = self.create()?;
        record.publication.keep(&archive)?;
        PublicationMemory::new(&archive).remember(&record.publication, &record.parts());
        let ReadyRecord { metadata, publication, files, signing, .. } = record;
        let mut files = with_sums(files)?;
        if let Some(key) = signing {
            sign(&mut files, &key, &publication)?;
        }
        if as_bag {
            files = bagged(files, &bag_info(&metadata))?;
        }
        match package {
            Package::Folder => write_folder(out, &files),
            Package::Zip => write_zip(out, &metadata.short_name(), &files),
        }
    }
}

/// Adds the signature over the list of checksums.
pub(super) fn sign(
    files: &mut BTreeMap<String, Content>,
    key: &SigningKey,
    publication: &Publication,
) -> Result<()> {
    let mut list = Vec::new();
    if let Some(content) = files.get(SUMS) {
        let read = content.open()?.read_to_end(&mut list);
        read.map_err(|error| Error::system(format!("cannot read the list of checksums: {error}")))?;
    }
    let comment = format!("{} version {}", publication.of, publication.number);
    files.insert(SIGNATURE.to_owned(), Content::Bytes(key.sign(&list, &comment)?));
    Ok(())
}

/// What is said of a record in its bag (RFC 8493, section 2.2.2).
fn bag_info(metadata: &RecordMetadata) -> Vec<(&'static str, String)> {
    vec![
        ("Source-Organization", metadata.publisher.spoken()),
        ("External-Description", metadata.title.clone()),
        ("External-Identifier", metadata.iri.clone()),
        ("Bagging-Date", metadata.modified.clone()),
        ("Bag-Software-Agent", format!("qassay {}", env!("CARGO_PKG_VERSION"))),
    ]
}

/// The evaluations and comparisons that words mean; with a comparison go the evaluations that it compares.
fn chosen<'a>(
    archived: &'a Archived,
    words: &[String],
) -> Result<(Vec<&'a ArchivedEvaluation>, Vec<&'a ArchivedComparison>)> {
    let (mut evaluations, mut comparisons) = (Vec::new(), Vec::new());
    for word in words {
        match archived.comparison(word)? {
            Some(comparison) => {
                comparisons.push(comparison);
                for iri in &comparison.evaluations {
                    evaluations.push(archived.find(iri)?);
                }
            }
            None => evaluations.push(archived.find(word)?),
        }
    }
    evaluations.sort_by(|one, other| one.iri.cmp(&other.iri));
    evaluations.dedup_by(|one, other| one.iri == other.iri);
    comparisons.sort_by(|one, other| one.iri.cmp(&other.iri));
    comparisons.dedup_by(|one, other| one.iri == other.iri);
    Ok((evaluations, comparisons))
}

/// The IRI of what is published: of several evaluations one that is made of theirs.
fn thing(
    archived: &Archived,
    evaluations: &[&ArchivedEvaluation],
    comparisons: &[&ArchivedComparison],
) -> String {
    match (evaluations, comparisons) {
        ([evaluation], []) => evaluation.iri.clone(),
        (_, [comparison]) if evaluations.len() == comparison.evaluations.len() => comparison.iri.clone(),
        _ => {
            let iris = evaluations.iter().map(|one| &one.iri).chain(comparisons.iter().map(|one| &one.iri));
            archived.archive.mint().experiment(iris.map(|iri| iri.rsplit('/').next().unwrap_or_default()))
        }
    }
}

/// The IRI of what words mean together.
pub(super) fn named(archived: &Archived, words: &[String]) -> Result<String> {
    let (evaluations, comparisons) = chosen(archived, words)?;
    Ok(thing(archived, &evaluations, &comparisons))
}

/// What is to be published, with what it quotes.
struct RecordDraft<'d, 'a> {
    desk: &'d PublishingDesk<'a>,
    evaluations: &'d [&'d ArchivedEvaluation],
    comparisons: &'d [&'d ArchivedComparison],
    quotations: &'d Quotations<'d>,
    names: &'d PublishedNames,
}

impl RecordDraft<'_, '_> {
    /// Fills in what goes and what is left out; of an earlier version only what was there then.
    fn publication(
        &self,
        draft: Publication,
        known: Option<&Publication>,
    ) -> Result<(Publication, Gathered)> {
        let mint = self.desk.archived.archive.mint();
        let reasons: RefCell<BTreeMap<String, String>> = RefCell::default();
        let fate = |iri: &str| {
            if is_name_iri(iri) {
                return if self.names.goes(iri) { Fate::Goes } else { Fate::Later };
            }
            let is_later = |known: &Publication| {
                let kind = mint.graph_kind(iri);
                matches!(kind, "prov" | "messages" | "groups")
                    && !known.graphs.contains(iri)
                    && known.withheld.iter().all(|part| part.iri != iri)
            };
            if known.is_some_and(is_later) {
                return Fate::Later;
            }
            let right = match self.desk.archived.graph(iri) {
                Ok(graph) => self.quotations.right_to_graph(graph),
                Err(_) => self.quotations.right_to_file(iri.rsplit('/').next().unwrap_or_default()),
            };
            match right {
                Right::Goes(_) => Fate::Goes,
                Right::Stays(why) => {
                    reasons.borrow_mut().insert(iri.to_owned(), why);
                    Fate::Stays
                }
            }
        };
        let gathered = self.desk.exporter.gather(self.evaluations, self.comparisons, &fate)?;
        let reasons = reasons.into_inner();
        let mut withheld = Vec::new();
        for (iri, (path, file)) in &gathered.left_out {
            withheld.push(self.withheld(iri, path, file, reasons.get(iri))?);
        }
        withheld.sort();
        let evaluations = self.evaluations.iter().map(|one| one.iri.clone());
        let members = evaluations.chain(self.comparisons.iter().map(|one| one.iri.clone())).collect();
        let graphs = gathered.graphs.keys().chain(self.names.said()).cloned().collect();
        Ok((Publication { members, graphs, withheld, ..draft }, gathered))
    }

    /// What goes out of it by its record, whatever is known of licences since.
    fn as_published(&self, publication: &Publication) -> Result<Gathered> {
        let fate = |iri: &str| {
            if publication.withheld.iter().any(|part| part.iri == iri) {
                Fate::Stays
            } else if publication.graphs.contains(iri)
                || (self.desk.archived.graph(iri).is_err() && !is_name_iri(iri))
            {
                Fate::Goes
            } else {
                Fate::Later
            }
        };
        self.desk.exporter.gather(self.evaluations, self.comparisons, &fate)
    }

    fn withheld(
        &self,
        iri: &str,
        path: &str,
        file: &StoredFile,
        why: Option<&String>,
    ) -> Result<WithheldPart> {
        let (sha256, bytes) = file.digest()?;
        Ok(WithheldPart {
            iri: iri.to_owned(),
            path: path.to_owned(),
            reason: why.cloned().unwrap_or_else(|| "it quotes what is withheld".to_owned()),
            source: self.quotations.source_of(&sha256).map(str::to_owned),
            sha256,
            bytes,
        })
    }

    /// The record of a publication, with all forms of its metadata.
    fn record(
        &self,
        publication: Publication,
        mut gathered: Gathered,
        first_day: &str,
        is_known: bool,
    ) -> Result<ReadyRecord> {
        let mint = self.desk.archived.archive.mint();
        let name = format!("records/{PUBLICATION}/{}.nq", publication.key());
        gathered.files.insert(name, Content::Bytes(publication.record_bytes(mint)?));
        let summaries = self.evaluations.iter().map(|one| Ok(self.desk.summaries.summary(one)?.0));
        let summaries: Vec<Summary> = summaries.collect::<Result<_>>()?;
        let named: Vec<ArchivedEvaluation> =
            self.evaluations.iter().map(|one| as_published(mint, one, &publication)).collect();
        let named: Vec<&ArchivedEvaluation> = named.iter().collect();
        let described = DescribedRecord {
            archived: self.desk.archived,
            evaluations: &named,
            comparisons: self.comparisons,
            summaries: &summaries,
            quotations: self.quotations,
            gathered: &gathered,
            publication: &publication,
            first_day,
        };
        let mut metadata = described.metadata()?;
        let left_out = gathered.left_out.into_values().collect();
        let mut files = gathered.files;
        let results = self.results(&publication)?;
        let again = self.evaluations.iter().zip(&results).map(|(one, results)| command(results, one));
        metadata.again = again.collect();
        for (file, bytes) in tables_of(&results)? {
            files.insert(file.path.clone(), Content::Bytes(bytes));
            metadata.files.push(file);
        }
        let page = landing(&metadata)?;
        for form in forms(&metadata, &page)? {
            files.insert(form.file.path.clone(), Content::Bytes(form.bytes));
        }
        for name in ["index.html", "ro-crate-preview.html"] {
            files.insert(name.to_owned(), Content::Bytes(page.clone()));
        }
        Ok(ReadyRecord { metadata, is_known, publication, files, left_out, signing: None, withdrawn: None })
    }

    /// The results, as far as they are published: groups where their graph is.
    fn results(&self, publication: &Publication) -> Result<Vec<Results>> {
        let mint = self.desk.archived.archive.mint();
        let mut results: Vec<Results> = self
            .evaluations
            .iter()
            .map(|one| {
                let named = as_published(mint, one, publication);
                Ok(Results::read(&self.desk.kept, &one.iri)?.of_system(&named.system))
            })
            .collect::<Result<_>>()?;
        for one in &mut results {
            let goes =
                !mint.model().splits_scores() || publication.graphs.contains(&mint.groups_graph(&one.digest));
            let groups = one.experiments.iter_mut().map(|experiment| &mut experiment.groups);
            groups.for_each(|groups| {
                groups.retain(|group| goes || [ALL, PROCESSED].contains(&group.name.as_str()));
            });
        }
        Ok(results)
    }
}

/// The tables of the record: numbers and ids, nothing that quotes an input.
fn tables_of(results: &[Results]) -> Result<Vec<(RecordFile, Vec<u8>)>> {
    Ok(vec![
        table(
            "aggregates",
            "Measures over questions",
            "Every measure of every group of questions.",
            tables::aggregates(results)?,
        ),
        table(
            "questions",
            "Scores per question",
            "What came of each question, by experiment type.",
            tables::questions(results)?,
        ),
    ])
}

fn table(name: &str, title: &str, description: &str, bytes: Vec<u8>) -> (RecordFile, Vec<u8>) {
    let content = Content::Bytes(bytes);
    let (sha256, size) = content.digest().unwrap_or_default();
    let Content::Bytes(bytes) = content else { unreachable!("it was made of bytes") };
    let file = RecordFile {
        path: format!("tables/{name}.csv"),
        role: FileRole::Table,
        title: title.to_owned(),
        description: description.to_owned(),
        media_type: "text/csv".to_owned(),
        sha256,
        bytes: size,
        licence: None,
        about: None,
        conforms_to: None,
        statements: None,
    };
    (file, bytes)
}
