//! The links, labels, classes and types of `qassay evaluate`: files, the files of a pinned knowledge base, and what an
//! endpoint, or a server with a pinned knowledge base, is asked for once it is known what is needed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::iri::{Mint, slug};
use crate::base::watch::Watcher;
use crate::kb::base::KnowledgeBase;
use crate::kb::find::{find, recorded};
use crate::profiles::Profile;
use crate::profiles::link_kind::LinkKind;
use crate::references::harvest::harvester::Harvester;
use crate::references::harvest::needs::Needs;
use crate::references::{ReferenceInput, ReferenceKind, linked};
use crate::scoring::align::align;
use crate::sources::archive::Archive;
use crate::sources::catalogue::named;
use crate::sources::document::Document;
use crate::sources::file::source::Source;
use crate::sources::format::meter::whole;
use crate::sources::input::Input;
use crate::workbench::asked::AskedAll;
use crate::workbench::asker::is_address;
use crate::workbench::request::Request;

/// What an endpoint or a knowledge base may be asked for, in the order in which the words of a command name it.
const ASKED_FOR: [ReferenceKind; 4] =
    [ReferenceKind::Links, ReferenceKind::Labels, ReferenceKind::Classes, ReferenceKind::Types];

/// All that is referred to.
#[derive(Debug)]
pub struct ReferenceFiles {
    /// The files, in the order in which they were named.
    pub files: Vec<Arc<ReferenceInput>>,
    /// The registered link sets and knowledge bases among them: option, and `NAME@VERSION`.
    pub named: Vec<(&'static str, String)>,
    /// Which of the endpoints is asked for what.
    waiting: Vec<(ReferenceKind, usize)>,
    endpoints: Vec<Harvester>,
    /// What was harvested: kinds and checksums.
    harvested: Vec<(ReferenceKind, String)>,
    link_kinds: Vec<LinkKind>,
}

impl ReferenceFiles {
    /// Reads all files, and finds out which endpoints are there.
    pub fn read(request: &Request, root: &Path, mint: &Mint) -> Result<Self> {
        let link_kinds = request.choices.link_kinds.clone();
        let mut links: Vec<PathBuf> = Vec::new();
        for word in request.words(ReferenceKind::Links) {
            if address(word, root).is_none() && served(ReferenceKind::Links, word, root)?.is_none() {
                links.push(word.clone());
            }
        }
        let (files, versions) = linked::references(&links, root, &link_kinds, mint)?;
        let named = versions.into_iter().map(|version| ("links", version)).collect();
        let (waiting, endpoints, harvested) = (Vec::new(), Vec::new(), Vec::new());
        let files = files.into_iter().map(Arc::new).collect();
        let mut all = Self { files, named, waiting, endpoints, harvested, link_kinds };
        for kind in ASKED_FOR {
            for word in request.words(kind) {
                if let Some(address) = address(word, root) {
                    all.wait(kind, Harvester::open(address, &request.allowance)?);
                } else if let Some(base) = served(kind, word, root)? {
                    let there = Harvester::of_base(&base, &request.allowance, mint)?;
                    if let Some(there) = there {
                        all.wait(kind, there);
                    }
                } else if kind != ReferenceKind::Links {
                    all.open(kind, word, root, mint)?;
                }
            }
        }
        for kind in [ReferenceKind::QuestionTypes, ReferenceKind::Assessments] {
            for path in request.words(kind) {
                all.files.push(Arc::new(ReferenceInput::open(kind, named::open(path, root, None)?, mint)?));
            }
        }
        for profile in &request.profiles {
            all.files.extend(profile_file(profile, mint)?.map(Arc::new));
        }
        Ok(all)
    }

    fn wait(&mut self, kind: ReferenceKind, endpoint: Harvester) {
        let known = self.endpoints.iter().position(|known| known.address() == endpoint.address());
        let position = known.unwrap_or_else(|| {
            self.endpoints.push(endpoint);
            self.endpoints.len() - 1
        });
        if !self.waiting.contains(&(kind, position)) {
            self.waiting.push((kind, position));
        }
    }

    fn open(&mut self, kind: ReferenceKind, word: &Path, root: &Path, mint: &Mint) -> Result<()> {
        let Some((archive, base)) = knowledge_base(word, root)? else {
            self.files.push(Arc::new(ReferenceInput::open(kind, named::open(word, root, None)?, mint)?));
            return Ok(());
        };
        let found = within(kind, &archive, &base, mint)?;
        if found.is_empty() {
            return Err(Error::input(format!("the knowledge base {} has no {}", base.label(), kind.name()))
                .hint("a file or another knowledge base may have them"));
        }
        self.files.extend(found.into_iter().map(Arc::new));
        self.named.push((kind.name(), base.label()));
        Ok(())
    }

    /// Asks the endpoints for what the gold answers and those of the systems name.
    pub fn harvest(
        &mut self,
        request: &Request,
        dataset: &Input,
        submissions: &[Arc<Input>],
        asked: &AskedAll,
        mint: &Mint,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let mut needs = needs(&request.profiles, dataset, submissions, asked);
        needs.languages.extend(request.choices.language.as_deref().map(str::to_ascii_lowercase));
        // What the types are decides which classes are needed.
        for kind in
            [ReferenceKind::Links, ReferenceKind::Labels, ReferenceKind::Types, ReferenceKind::Classes]
        {
            if kind == ReferenceKind::Classes {
                needs.classes.extend(classes(&self.files, &needs.resources)?);
            }
            for (_, position) in self.waiting.iter().filter(|(waiting, _)| *waiting == kind) {
                let endpoint = &self.endpoints[*position];
                if let Some(file) = endpoint.ask(kind, &needs, &self.link_kinds, mint, watcher)? {
                    self.harvested.push((kind, file.source.sha256().to_owned()));
                    self.files.push(Arc::new(file));
                }
            }
        }
        Ok(())
    }

    /// The options that name what was harvested, as the archive has it.
    pub fn again(&self, root: &Path) -> Vec<(&'static str, String)> {
        let option = |(kind, sha256): &(ReferenceKind, String)| {
            (kind.name(), Archive::file_below(root, sha256).display().to_string())
        };
        self.harvested.iter().map(option).collect()
    }
}

/// The file of a profile of a user's own; nothing where it is built in.
pub(crate) fn profile_file(profile: &Profile, mint: &Mint) -> Result<Option<ReferenceInput>> {
    let open = |file: &Arc<Source>| ReferenceInput::open(ReferenceKind::Profiles, (**file).clone(), mint);
    profile.file.as_ref().map(open).transpose()
}

/// The address that a word is. Files and published files may be called by addresses too.
fn address<'w>(word: &'w Path, root: &Path) -> Option<&'w str> {
    word.to_str().filter(|text| {
        is_address(root, text) && !word.exists() && crate::sources::catalogue::find::find(text).is_err()
    })
}

/// The knowledge base that a word names: a file of that name wins, and nobody has to have any.
fn knowledge_base(word: &Path, root: &Path) -> Result<Option<(Archive, KnowledgeBase)>> {
    let Some(text) = word.to_str().filter(|_| !word.exists()) else { return Ok(None) };
    let Ok(archive) = Archive::open(root) else { return Ok(None) };
    let name = text.rsplit_once('@').map_or(text, |(name, _)| name);
    let is_known =
        recorded(&archive)?.iter().any(|known| slug(&known.base.name) == slug(name) || known.iri == text);
    if !is_known {
        return Ok(None);
    }
    let base = find(&archive, text)?;
    Ok(Some((archive, base)))
}

/// The knowledge base that a word names, where a server has it: it is asked once it is known what is needed. A link set of
/// that name wins.
fn served(kind: ReferenceKind, word: &Path, root: &Path) -> Result<Option<KnowledgeBase>> {
    if kind == ReferenceKind::Links && !matches!(linked::meant(word, root)?, linked::Meant::Published(_)) {
        return Ok(None);
    }
    let found = knowledge_base(word, root)?;
    Ok(found.map(|(_, base)| base).filter(|base| base.served.is_some()))
}

/// The files of a knowledge base that have statements of a kind.
fn within(
    kind: ReferenceKind,
    archive: &Archive,
    base: &KnowledgeBase,
    mint: &Mint,
) -> Result<Vec<ReferenceInput>> {
    let mut found = Vec::new();
    for (file, dump) in base.files.iter().zip(base.dumps(archive)?) {
        let source = Source::from_bytes(format!("{} of {}", file.name, base.label()), whole(&dump.path)?)?;
        if source.sha256() != file.sha256 {
            return Err(Error::check("the archive is damaged: these are not the bytes that were added")
                .in_file(dump.path.display().to_string()));
        }
        let read = ReferenceInput::open_within(kind, source, mint).map_err(|error| match file.skipped {
            0 => error,
            _ => {
                error.hint("the knowledge base leaves malformed statements out; a file of statements may not")
            }
        });
        found.extend(read?);
    }
    Ok(found)
}

/// What all evaluations need.
fn needs(profiles: &[Arc<Profile>], dataset: &Input, submissions: &[Arc<Input>], asked: &AskedAll) -> Needs {
    let numbered = submissions.iter().enumerate();
    let taken: Vec<_> = numbered.map(|(number, submission)| (asked.of(None, number), submission)).collect();
    let answers: Vec<&Document> =
        taken.iter().map(|(taken, submission)| &**taken.system_answers(submission)).collect();
    let mut needs = Needs::default();
    for refreshed in asked.origins() {
        for profile in profiles {
            let gold = asked.gold(*refreshed, profile);
            let gold = gold.as_ref().map_or(&dataset.document, |gold| &gold.document);
            // Where nothing fits, the evaluation says so.
            let aligned = |answers: &&Document| align(gold, answers, profile.identifiers).unwrap_or_default();
            let positions: Vec<_> = answers.iter().map(aligned).collect();
            let pairs: Vec<_> =
                answers.iter().zip(&positions).map(|(answers, p)| (*answers, p.answers.as_slice())).collect();
            needs = needs.and(Needs::of(gold, &pairs));
        }
    }
    let queries = submissions.iter().flat_map(|submission| &submission.queries).chain(&dataset.queries);
    for query in queries {
        needs.add_query(&query.asked);
    }
    needs
}

/// The classes of resources by the files of types.
fn classes(files: &[Arc<ReferenceInput>], resources: &BTreeSet<String>) -> Result<BTreeSet<String>> {
    let mut classes = BTreeSet::new();
    for file in files.iter().filter(|file| file.kind == ReferenceKind::Types) {
        for (subject, (_, object)) in file.stated()? {
            if let oxigraph::model::Term::NamedNode(class) = object
                && resources.contains(&subject)
            {
                classes.insert(class.into_string());
            }
        }
    }
    Ok(classes)
}
