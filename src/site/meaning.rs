//! What an address or a word means: the page, the page that tells of it, or that it was withdrawn.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::error::Result;
use crate::site::graphs::StatementLines;
use crate::site::linker::path_under;
use crate::site::route::{PageForm, Route, address};
use crate::site::{Site, evaluation, input};

impl Site<'_> {
    /// The page and the form that an address behind the base means; nothing where there is no such page. Without a form it is
    /// that of an IRI.
    ///
    /// # Errors
    /// Where a graph cannot be read.
    pub fn find(&self, path: &str) -> Result<Option<(Route, Option<PageForm>)>> {
        let mut failed = None;
        let exists = |route: &Route| {
            self.exists(route).unwrap_or_else(|error| {
                failed = Some(error);
                false
            })
        };
        let found = address(path, exists);
        failed.map_or(Ok(found), Err)
    }

    /// The path of the page that tells of something that is named in what is published and has no page of its own, with the place on
    /// it where that is known: the page that shows it, else that of the nearest thing above it.
    ///
    /// # Errors
    /// Where a graph cannot be read.
    pub fn told_at(&self, path: &str) -> Result<Option<String>> {
        if let Some(shared) = self.shared(path)? {
            return Ok(Some(shared));
        }
        let iri = format!("{}{path}", self.linker.base());
        if self.view.said(&iri)?.is_empty() {
            return Ok(None);
        }
        if let Some((route, place)) = self.linker.showing(&iri).filter(|(route, _)| route.path() != path)
            && self.exists(&route)?
        {
            let place = if place.is_empty() { place } else { format!("#{place}") };
            return Ok(Some(format!("{}{place}", route.path())));
        }
        let mut above = path;
        while let Some((parent, _)) = above.rsplit_once('/') {
            if self.find(parent)?.is_some() {
                return Ok(Some(parent.to_owned()));
            }
            above = parent;
        }
        Ok(None)
    }

    /// The same of what several things share: a question of all versions of a dataset is told of by one of them, a triple pattern by
    /// one of the inputs whose queries have it.
    fn shared(&self, path: &str) -> Result<Option<String>> {
        let Some(Route::Thing(parts)) = Route::parse(path) else { return Ok(None) };
        match parts.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["dataset", slug, "q", question] => {
                for route in self.linker.pages() {
                    let Route::Thing(version) = route else { continue };
                    if let [kind, of, version] = version.as_slice()
                        && kind == "dataset"
                        && of == slug
                    {
                        let asked = Route::Question(of.clone(), version.clone(), (*question).to_owned());
                        if self.exists(&asked)? {
                            return Ok(Some(asked.path()));
                        }
                    }
                }
                Ok(None)
            }
            ["tp", ..] => Ok(self.patterns()?.get(path).cloned()),
            _ => Ok(None),
        }
    }

    /// The inputs that have triple patterns, by the paths of these; somebody has to ask for one.
    fn patterns(&self) -> Result<&BTreeMap<String, String>> {
        if self.patterns.get().is_none() {
            let archived = self.view.archived;
            let parts = format!("{}/", archived.archive.mint().patterns_graph());
            let mut all = BTreeMap::new();
            for graph in archived.graphs.iter().filter(|graph| self.view.shows_graph(&graph.name)) {
                let Some(input) = graph.name.strip_prefix(&parts) else { continue };
                let mut lines = StatementLines::default();
                lines.add(&archived.archive.graph(&graph.sha256).content()?);
                for pattern in lines.subjects().filter_map(|iri| self.linker.path(iri)) {
                    all.entry(pattern.to_owned()).or_insert_with(|| input.to_owned());
                }
            }
            drop(self.patterns.set(all));
        }
        Ok(self.patterns.get().expect("it was set"))
    }

    /// Whether there is a page.
    fn exists(&self, route: &Route) -> Result<bool> {
        if !self.linker.has(route) {
            return Ok(false);
        }
        let iri = self.linker.iri(route);
        Ok(match route {
            Route::Observation(..) | Route::Question(..) | Route::Answer(..) => {
                !self.view.said(&iri)?.is_empty()
            }
            Route::Aggregates(..) => !self.view.parts(&iri)?.is_empty(),
            Route::DatasetQuestions(slug, version, number) => {
                let parts = self.view.parts(&self.linker.iri(&Route::version(slug, version)))?;
                let routes = parts.iter().filter_map(|part| Route::showing(self.linker.path(part)?));
                let questions: BTreeSet<Route> = routes.map(|(route, _)| route).collect();
                *number <= input::further_pages(&questions)
            }
            Route::Questions(..) if self.is_withdrawn(route) => false,
            Route::Questions(key, number) => {
                let whole = self.view.evaluation(&self.linker.iri(&Route::Evaluation(key.clone())))?;
                *number <= whole.results.questions.len().div_ceil(evaluation::QUESTIONS)
            }
            _ => true,
        })
    }

    /// The path of what somebody names exactly: an IRI, or the beginning of the key or the checksum of one thing that has a page.
    pub fn meant(&self, word: &str) -> Option<String> {
        if let Some(path) = path_under(self.linker.base(), word) {
            let has_page =
                matches!(self.find(path), Ok(Some(_))) || matches!(self.told_at(path), Ok(Some(_)));
            return has_page.then(|| path.to_owned());
        }
        let word = word.to_ascii_lowercase();
        let word = word.strip_prefix("sha256:").unwrap_or(&word).to_owned();
        if word.len() < 6 || !word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let is_named = |route: &&Route| match route {
            Route::Evaluation(key) | Route::Comparison(key) => key.starts_with(&word),
            Route::Thing(parts) => match parts.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["submission" | "experiment" | "execution", key] => key.starts_with(&word),
                ["file", "sha256", sha256] => sha256.starts_with(&word),
                _ => false,
            },
            _ => false,
        };
        let (here, gone): (Vec<&Route>, Vec<&Route>) =
            self.linker.pages().filter(is_named).partition(|route| !self.is_withdrawn(route));
        let mut named: Vec<String> = here.into_iter().map(Route::path).collect();
        // What was withdrawn is told to who knows all of its key, and found by nobody else.
        let gone = gone.into_iter().map(Route::path);
        named.extend(gone.filter(|path| path.rsplit('/').next() == Some(&word)));
        // Bytes are told of by what they are.
        let is_thing = |path: &String| !path.starts_with("file/");
        if named.iter().any(is_thing) && !named.iter().any(|path| path.rsplit('/').next() == Some(&word)) {
            named.retain(is_thing);
        }
        // The key of a submission is the beginning of the checksum of its file.
        let whole = named.iter().find(|path| path.rsplit('/').next() == Some(word.as_str()));
        whole.or_else(|| named.first().filter(|_| named.len() == 1)).cloned()
    }

    /// What was withdrawn, and its page tells why; nothing of what is here.
    pub fn is_withdrawn(&self, route: &Route) -> bool {
        let iri = self.linker.iri(route);
        self.view
            .withdrawn()
            .any(|gone| iri.strip_prefix(gone).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    }

    /// Whether the thing of a route is a part of something that was withdrawn, and not that itself.
    pub fn is_withdrawn_with(&self, route: &Route) -> bool {
        let iri = self.linker.iri(route);
        self.is_withdrawn(route) && self.view.withdrawn().all(|gone| gone != iri)
    }

    /// The path of what was withdrawn and is named in a path: what was part of it is gone with it.
    pub fn withdrawn_around(&self, path: &str) -> Option<&str> {
        let gone = self.view.withdrawn().filter_map(|iri| self.linker.path(iri));
        let key = |gone: &str| gone.rsplit('/').next().unwrap_or_default().to_owned();
        gone.into_iter().find(|gone| {
            let key = key(gone);
            key.len() >= 32 && path.split(['/', '.']).any(|part| part == key)
        })
    }

    /// The same of what is no longer here: also inputs are gone with what was made of them, unless something else has them.
    pub fn withdrawn_with(&self, path: &str) -> Option<&str> {
        let whole = path.rsplit_once('.').map_or(path, |(whole, _)| whole);
        if matches!(self.find(whole), Ok(Some((route, _))) if !self.is_withdrawn(&route)) {
            return None;
        }
        let parts: Vec<&str> = path.split(['/', '.']).collect();
        // Checksums are named by their beginnings.
        let is_named = |iri: &str| {
            let key = iri.rsplit('/').next().unwrap_or_default();
            key.len() >= 16
                && key.bytes().all(|byte| byte.is_ascii_hexdigit())
                && parts.iter().any(|part| part.starts_with(key))
        };
        let has = |published: &str| {
            self.view.publications(published).any(|one| {
                let withheld = one.withheld.iter().map(|part| part.iri.as_str());
                one.graphs.iter().map(String::as_str).chain(withheld).any(is_named)
            })
        };
        let is_gone = |iri: &str| self.view.withdrawn().any(|gone| gone == iri);
        let is_here = || self.view.published().any(|iri| !is_gone(iri) && has(iri));
        let with = || self.linker.path(self.view.withdrawn().find(|gone| has(gone)).filter(|_| !is_here())?);
        self.withdrawn_around(path).or_else(with)
    }

    /// The page whose file has this path, where names stand for ids that no file can be called by.
    ///
    /// # Errors
    /// Where a graph cannot be read.
    pub fn find_file(&self, path: &str) -> Result<Option<(Route, PageForm)>> {
        let Some((_, ending)) = path.rsplit_once('.').filter(|_| path.contains('~')) else { return Ok(None) };
        let Some(form) = PageForm::ALL.into_iter().find(|form| form.ending() == ending) else {
            return Ok(None);
        };
        let names: Vec<String> = path.split('/').map(str::to_owned).collect();
        let is_it = |route: &Route| route.file(form) == names;
        for route in self.linker.pages() {
            if is_it(route) {
                return Ok(Some((route.clone(), form)));
            }
            // The parts of a thing are below it.
            let folder = route.file(form);
            let folder = folder.split_last().map(|(last, before)| {
                let last = last.strip_suffix(ending).and_then(|last| last.strip_suffix('.'));
                before.iter().map(String::as_str).chain(last).collect::<Vec<&str>>()
            });
            if folder.is_some_and(|folder| {
                !folder.is_empty() && names.iter().map(String::as_str).take(folder.len()).eq(folder)
            }) && let Some(found) = self.parts(route)?.into_iter().find(is_it)
            {
                return Ok(Some((found, form)));
            }
        }
        Ok(None)
    }
}
