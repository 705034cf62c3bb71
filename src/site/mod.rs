//! SITE: the one renderer of pages. A page is a function of an archive and a route.
//!
//! Whether a folder of files is written or a server asks, the bytes are the same.
//! [`Site::pages`] tells which pages there are, [`Site::render`] makes one in a form. Numbers come from
//! [`Results`](crate::record::results::Results), everything else from records and graphs: nothing is computed here.

pub mod about;
mod asked;
pub mod assess;
pub mod asset;
pub mod check;
pub mod chosen;
pub mod compare;
mod comparison;
mod context;
pub(crate) mod dataset_list;
pub mod endpoint;
pub mod evaluation;
pub mod folder;
mod form;
mod found;
mod graphs;
mod home;
pub mod hosting;
mod input;
pub mod linker;
mod lists;
mod matrix;
mod meaning;
pub mod new;
pub mod notebook;
mod page;
mod question;
pub mod route;
pub mod rows;
pub mod run;
mod sides;
mod texts;
mod thing;
mod tombstone;
pub mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use askama::Template;
use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::issue::IssueCode;
use crate::base::query::QUERIES;
use crate::base::text::beginning;
use crate::record::comparison::headline::HeadlineIntervals;
use crate::record::summaries::NumberChoice;
use crate::report::json;
use crate::site::about::{AboutServer, FRAME_LISTS};
use crate::site::assess::AssessPage;
use crate::site::asset::{ICON, PLOTS, SCRIPT, STYLE};
use crate::site::check::CheckPage;
use crate::site::chosen::{DatasetChoice, ResultChoice};
use crate::site::compare::CompareChoice;
use crate::site::context::PageContext;
use crate::site::dataset_list::{ListedDataset, datasets};
use crate::site::endpoint::{EndpointPage, Refusal};
use crate::site::evaluation::chosen::QuestionChoice;
use crate::site::form::FieldKind;
use crate::site::graphs::ontology_lines;
use crate::site::linker::{Linker, PARTS, path_under, relative};
use crate::site::new::NewPage;
use crate::site::page::{PagePiece, Section, SitePage, StripShape, WordKind, WordLine, Words};
use crate::site::route::{ListPage, PageForm, Route, Vocabulary};
use crate::site::rows::WantedRows;
use crate::site::run::RunPage;
use crate::site::view::SiteView;
use crate::sources::catalogue::Entry;

/// A typed link: relation, address, media type (or nothing).
pub type HeadLink = (String, String, String);

/// What else the head of a page says: made by who publishes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageHead {
    /// A description as JSON-LD.
    pub json_ld: Option<String>,
    /// Typed links.
    pub links: Vec<HeadLink>,
    /// Whether nobody but who has the address is to find it.
    pub is_private: bool,
}

/// A page that only a server has.
#[derive(Debug, Clone)]
pub enum ServedPage {
    /// The endpoint, with what came of a query.
    Endpoint(EndpointPage),
    /// Why there is no page.
    Refusal(Refusal),
    /// Where evaluations are begun.
    New(Box<NewPage>),
    /// Where files are looked at.
    Check(CheckPage),
    /// A run.
    Run(Box<RunPage>),
    /// Some of the evaluations.
    Results(ResultChoice),
    /// Some of the datasets.
    Datasets(DatasetChoice),
    /// Some of the questions of the evaluation with this key.
    Questions(String, QuestionChoice),
    /// A page with those rows of its tables that have these words.
    Filtered(Route, WantedRows),
    /// Evaluations beside each other.
    Compare(CompareChoice),
    /// What is called like these words.
    Found(String),
    /// What the server says of itself.
    About(AboutServer),
    /// Where somebody judges.
    Assess(Box<AssessPage>),
}

/// A page or another form, ready to be written or sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The media type, with its encoding.
    pub media_type: &'static str,
    /// A validator: another one wherever the bytes differ.
    pub etag: String,
}

/// All pages of an archive.
#[derive(Debug)]
pub struct Site<'a> {
    view: &'a SiteView<'a>,
    linker: Linker,
    is_private: bool,
    /// The inputs that have triple patterns, by the paths of these.
    patterns: OnceLock<BTreeMap<String, String>>,
}

/// Lists that programs have, too.
static DATASETS: Route = Route::List(ListPage::Datasets);
static SYSTEMS: Route = Route::List(ListPage::Systems);

/// So many characters of a title are shown: of more, search engines and windows show the first only.
const LONGEST_TITLE: usize = 60;

/// The frame of every page.
#[derive(Template)]
#[template(config = "src/site/askama.toml", path = "page.html")]
struct PageFrame {
    page: SitePage,
    version: &'static str,
    iri: String,
    base: String,
    style: String,
    plots: String,
    script: String,
    icon: String,
    home: String,
    search: String,
    nav: Vec<(Words, bool)>,
    /// What else can be read, at the end of the page.
    below: Vec<(Words, bool)>,
    /// Lists for machines: what they are called, and where they are.
    lists: Vec<(&'static str, String)>,
    formats: Vec<(&'static str, &'static str, String)>,
    links: Vec<(String, String, String)>,
    json_ld: String,
    is_private: bool,
    notice: WordLine,
}

impl<'a> Site<'a> {
    /// The site of an archive.
    ///
    /// # Errors
    /// Where the archive cannot be read.
    pub fn new(view: &'a SiteView<'a>) -> Self {
        let mut pages: BTreeSet<Route> = ListPage::ALL.into_iter().map(Route::List).collect();
        pages.extend([Route::Home, Route::Terms(Vocabulary::Ns), Route::Terms(Vocabulary::Code)]);
        let base = view.base();
        for vocabulary in [Vocabulary::Ns, Vocabulary::Code] {
            let terms = ontology_lines().below(vocabulary.namespace());
            let names =
                terms.map(|term| &term[vocabulary.namespace().len()..]).filter(|name| !name.is_empty());
            pages.extend(names.map(|name| Route::Term(vocabulary, name.to_owned())));
        }
        let queries = QUERIES.iter().filter_map(|query| query.name.split_once('/'));
        pages.extend(queries.map(|(folder, name)| Route::Query(folder.to_owned(), name.to_owned())));
        let archived = view.archived;
        let graphs = archived.graphs.iter().map(|graph| graph.subject.as_str());
        let things = view.recorded().chain(ontology_lines().subjects()).chain(graphs);
        let is_whole =
            |route: &Route| matches!(route, Route::Evaluation(_) | Route::Comparison(_) | Route::Thing(_));
        // Evaluations that are published together are nothing else.
        let things = things.chain(view.published());
        let routes = things.filter_map(|iri| Some(Route::showing(path_under(&base, iri)?)?.0));
        pages.extend(routes.filter(is_whole));
        let open = archived.graphs.iter().map(|graph| graph.subject.as_str());
        let open = open.filter(|thing| view.shows_content(thing));
        let open = open.filter_map(|thing| thing.strip_prefix(&base).map(str::to_owned)).collect();
        Self { view, linker: Linker::new(&base, pages, open), is_private: false, patterns: OnceLock::new() }
    }

    /// The same of an archive that nobody has published: its pages say so, and are found by nobody.
    #[must_use]
    pub fn privately(self) -> Self {
        Self { is_private: true, ..self }
    }

    /// How pages link to each other.
    pub fn linker(&self) -> &Linker {
        &self.linker
    }

    fn context<'s>(&'s self, route: &'s Route) -> PageContext<'s>
    where
        'a: 's,
    {
        PageContext { view: self.view, linker: &self.linker, route }
    }

    /// Every page, those of an evaluation, a dataset or a submission together.
    pub fn pages(&self) -> impl Iterator<Item = Result<Route>> {
        self.linker.pages().flat_map(|route| {
            let parts = self.parts(route);
            let (parts, error) = match parts {
                Ok(parts) => (parts, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            [Ok(route.clone())].into_iter().chain(parts.into_iter().map(Ok)).chain(error)
        })
    }

    /// The pages of the parts of a thing.
    fn parts(&self, route: &Route) -> Result<Vec<Route>> {
        let iri = self.linker.iri(route);
        match route {
            Route::Evaluation(_) if self.view.tombstone(&iri).is_some() => Ok(Vec::new()),
            Route::Evaluation(key) => self.parts_of_evaluation(key, &iri),
            Route::Thing(_) => {
                let parts = self.view.parts(&iri)?;
                let routes = parts.iter().filter_map(|part| Route::showing(self.linker.path(part)?));
                let is_part = |route: &Route| matches!(route, Route::Question(..) | Route::Answer(..));
                let routes: BTreeSet<Route> = routes.map(|(route, _)| route).filter(is_part).collect();
                let further =
                    (2..=input::further_pages(&routes)).filter_map(|page| route.further_questions(page));
                let further: Vec<Route> = further.collect();
                Ok(routes.into_iter().chain(further).filter(|route| self.linker.has(route)).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    fn parts_of_evaluation(&self, key: &str, iri: &str) -> Result<Vec<Route>> {
        let shown = self.view.evaluation(iri)?;
        let results = &shown.results;
        let own = |text: &str| text.to_owned();
        let mut routes: Vec<Route> =
            PARTS.iter().map(|part| Route::EvaluationPart(own(key), own(part))).collect();
        let last = results.questions.len().div_ceil(evaluation::QUESTIONS);
        routes.extend((2..=last).map(|number| Route::Questions(own(key), number)));
        for types in &results.experiments {
            let groups = types.groups.iter();
            routes.extend(groups.map(|group| Route::group(key, &types.name, &group.name)));
        }
        // Question by question: what is read for one is read once.
        for (at, question) in results.questions.iter().enumerate() {
            let scored = results.experiments.iter().filter(|types| types.observation(at).is_some());
            routes.extend(
                scored.map(|types| Route::Observation(own(key), types.name.clone(), question.key.clone())),
            );
        }
        Ok(routes)
    }

    /// The forms that a page has. What is a part of something larger, which has all forms, has those that are read most.
    pub fn forms(route: &Route) -> Vec<PageForm> {
        match route {
            Route::Observation(..)
            | Route::Question(..)
            | Route::Answer(..)
            | Route::Aggregates(..)
            | Route::EvaluationPart(..)
            | Route::Term(..) => vec![PageForm::Html, PageForm::Turtle],
            // What is said of the catalogue is made of the publications.
            Route::Thing(parts) if *parts == ["catalog"] => vec![PageForm::Html],
            Route::List(ListPage::Search) => vec![PageForm::Html, PageForm::Json],
            Route::Home
            | Route::List(_)
            | Route::Query(..)
            | Route::Questions(..)
            | Route::DatasetQuestions(..) => vec![PageForm::Html],
            _ => [PageForm::Html].into_iter().chain(PageForm::RDF).collect(),
        }
    }

    /// A page in a form.
    ///
    /// # Errors
    /// Where the site has no such page, the page no such form, or a graph cannot be read.
    pub fn render(&self, route: &Route, form: PageForm, head: &PageHead) -> Result<Rendered> {
        let context = self.context(route);
        if !self.linker.has(route) {
            return Err(Error::input(format!("there is no page `{}`", route.path())));
        }
        let bytes = match form {
            PageForm::Html => self.html(&context, head)?.into_bytes(),
            PageForm::Json if *route == Route::List(ListPage::Search) => {
                lists::search_index(&context).into_bytes()
            }
            _ => thing::statements(&context, form)?,
        };
        let etag = Self::tag(&bytes);
        Ok(Rendered { bytes, media_type: form.media_type(), etag })
    }

    /// A validator of bytes (RFC 9110, section 8.8.3).
    pub fn tag(bytes: &[u8]) -> String {
        format!("\"{}\"", &hex(&Sha256::digest(bytes))[..32])
    }

    fn page(context: &PageContext<'_>) -> Result<SitePage> {
        if let Some(gone) = context.view.tombstone(&context.linker.iri(context.route)) {
            return Ok(tombstone::page(context, &gone));
        }
        match context.route {
            Route::Home => Ok(home::page(context)),
            Route::List(list) => Ok(lists::list(context, *list)),
            Route::Evaluation(key) => evaluation::page(context, key),
            Route::Questions(key, number) => evaluation::questions_page(context, key, *number),
            Route::Aggregates(key, experiment, group) => {
                evaluation::aggregates_page(context, key, experiment, group)
            }
            Route::Observation(key, experiment, question) => {
                question::page(context, key, experiment, question)
            }
            Route::Comparison(key) => comparison::page(context, key),
            Route::DatasetQuestions(slug, version, number) => {
                input::questions_page(context, slug, version, *number)
            }
            Route::Question(slug, version, key) => asked::question(context, slug, version, key),
            Route::Answer(submission, key) => asked::answer(context, submission, key),
            Route::Thing(parts) => input::page(context, parts)?.map_or_else(|| thing::page(context), Ok),
            Route::Terms(vocabulary) => thing::vocabulary(context, *vocabulary),
            Route::Query(folder, name) => lists::query(context, folder, name),
            _ => thing::page(context),
        }
    }

    fn html(&self, context: &PageContext<'_>, head: &PageHead) -> Result<String> {
        self.framed(context, Self::page(context)?, head)
    }

    /// A page with all that is around it.
    fn framed(&self, context: &PageContext<'_>, mut page: SitePage, head: &PageHead) -> Result<String> {
        let route = context.route;
        page.title = beginning(&page.title, LONGEST_TITLE);
        page.sections.extend(files(head));
        let nav = [
            ("Results", Route::List(ListPage::Results)),
            ("Comparisons", Route::List(ListPage::Comparisons)),
            ("Datasets", Route::List(ListPage::Datasets)),
            ("Query", Route::List(ListPage::Sparql)),
            ("Check a file", Route::List(ListPage::Check)),
            ("New evaluation", Route::List(ListPage::New)),
        ];
        let below = [
            ("Systems", Route::List(ListPage::Systems)),
            ("Profiles", Route::List(ListPage::Profiles)),
            ("Measures", Route::Terms(Vocabulary::Code)),
            ("Queries", Route::List(ListPage::Queries)),
            ("About", Route::List(ListPage::About)),
        ];
        let linked = |(text, to): (&str, Route)| (context.link(Words::plain(text), &to), to == *route);
        let formats = Self::formats(context).into_iter().filter(|_| page.has_statements).collect();
        let href = |route: &Route| context.href(route).unwrap_or_default();
        let has_plots =
            page.sections.iter().flat_map(|one| &one.pieces).any(|one| matches!(one, PagePiece::Plot { .. }));
        let frame = PageFrame {
            version: env!("CARGO_PKG_VERSION"),
            iri: self.linker.iri(route),
            base: self.linker.base().to_owned(),
            style: relative(route, &STYLE.file()),
            plots: if has_plots { relative(route, &PLOTS.file()) } else { String::new() },
            script: relative(route, &SCRIPT.file()),
            icon: relative(route, &ICON.file()),
            home: href(&Route::Home),
            search: href(&Route::List(ListPage::Search)),
            nav: nav.into_iter().map(linked).collect(),
            below: below.into_iter().map(linked).collect(),
            lists: FRAME_LISTS.map(|(name, file)| (name, relative(route, &[file.to_owned()]))).to_vec(),
            formats,
            links: head.links.clone(),
            // Nothing ends the block of data before its end.
            is_private: self.is_private || head.is_private,
            notice: if self.is_private { private_notice(context) } else { Vec::new() },
            json_ld: head.json_ld.as_deref().unwrap_or_default().replace('<', "\\u003c"),
            page,
        };
        frame.render().map_err(|error| Error::system(format!("cannot write HTML: {error}")))
    }

    /// A page that only a server has, at a path behind the base.
    ///
    /// # Errors
    /// Where there is no memory for it.
    pub fn served(&self, path: &str, page: &ServedPage) -> Result<String> {
        let known = match page {
            ServedPage::Questions(key, _) => Some(Route::Evaluation(key.clone())),
            ServedPage::Filtered(route, _) => Some(route.clone()),
            _ => Route::parse(path).filter(|route| matches!(route, Route::List(_))),
        };
        // Links lead up as many folders as the address has.
        let route = known.unwrap_or_else(|| Route::Thing(path.split('/').map(|_| "-".to_owned()).collect()));
        let context = self.context(&route);
        let made = match page {
            ServedPage::Endpoint(page) => page.page(&context),
            ServedPage::Refusal(page) => page.page(),
            ServedPage::New(page) => page.page(&context),
            ServedPage::Check(page) => page.page(&context),
            ServedPage::Run(page) => page.page(),
            ServedPage::Results(choice) => choice.page(&context)?,
            ServedPage::Datasets(choice) => choice.page(&context),
            ServedPage::Questions(key, choice) => choice.page(&context, key)?,
            ServedPage::Filtered(_, choice) => Self::page(&context)?.with_rows(choice)?,
            ServedPage::Compare(choice) => choice.page(&context)?,
            ServedPage::Found(words) => found::found(&context, words)?,
            ServedPage::About(server) => about::page(&context, Some(server)),
            ServedPage::Assess(page) => page.page(),
        };
        let head = PageHead {
            is_private: matches!(page, ServedPage::Run(_) | ServedPage::Assess(_)),
            ..PageHead::default()
        };
        self.framed(&context, made, &head)
    }

    /// An evaluation as `qassay evaluate` prints it in JSON, by its key; nothing where there is none.
    ///
    /// # Errors
    /// Where its graphs cannot be read.
    pub fn evaluation_json(&self, key: &str) -> Result<Option<serde_json::Value>> {
        let route = Route::Evaluation(key.to_owned());
        let iri = self.linker.iri(&route);
        if !self.linker.has(&route) || self.view.tombstone(&iri).is_some() {
            return Ok(None);
        }
        let results = [self.view.evaluation(&iri)?.results.clone()];
        let intervals = HeadlineIntervals::of(&results)?;
        Ok(Some(json::value(&json::evaluations(&results, &[], &intervals))))
    }

    /// The issues that say that a number of an evaluation may mean something else.
    pub(crate) fn cautions(&self, evaluation: &str, choice: &NumberChoice) -> Vec<&'static str> {
        let number = self.view.summary(evaluation).and_then(|summary| matrix::number(summary, choice));
        number.into_iter().flat_map(|number| number.cautions).map(IssueCode::name).collect()
    }

    /// The datasets that the page of these lists by a choice; then those of the catalogue that are not on it.
    pub(crate) fn datasets(
        &self,
        choice: &DatasetChoice,
        catalogued: &[&'static Entry],
    ) -> Vec<ListedDataset<'_>> {
        let mut all = datasets(&self.context(&DATASETS));
        let is_new = |entry: &&&'static Entry| {
            all.iter().all(|one| one.entries.iter().all(|known| known.name != entry.name))
        };
        let others: Vec<_> =
            catalogued.iter().filter(is_new).map(|entry| ListedDataset::catalogued(entry)).collect();
        all.extend(others);
        all.retain(|one| choice.wants(one));
        all
    }

    /// The systems that the page of these lists by words: their names, their IRIs, and how many evaluations they have.
    pub(crate) fn systems(&self, words: &str) -> Vec<(String, &str, usize)> {
        lists::systems(&self.context(&SYSTEMS), words)
    }

    /// Whether a graph may be seen, by its name.
    pub fn shows_graph(&self, name: &str) -> bool {
        self.view.shows_graph(name)
    }

    /// The same thing for machines.
    fn formats(context: &PageContext<'_>) -> Vec<(&'static str, &'static str, String)> {
        let link = |form: &PageForm| {
            let href = context.linker.href(context.route, context.route, *form)?;
            Some((form.name(), form.media_type().split(';').next().unwrap_or_default(), href))
        };
        let forms = Self::forms(context.route);
        PageForm::RDF.iter().filter(|form| forms.contains(form)).filter_map(link).collect()
    }
}

/// What is said on every page that nobody has published.
fn private_notice(context: &PageContext<'_>) -> WordLine {
    let run = relative(context.route, &["run".to_owned()]);
    vec![
        Words::tag("quiet", "private"),
        Words::plain(" Only who has the address sees this page. "),
        Words::plain("The run that it belongs to").to(Some(run)),
    ]
}

/// The files of the record that a page is about.
fn files(head: &PageHead) -> Option<Section> {
    let items =
        head.links.iter().filter(|(relation, ..)| ["item", "describedby"].contains(&relation.as_str()));
    let link = |(_, href, _): &(String, String, String)| {
        let name = href.trim_start_matches("../");
        vec![Words::foreign(name.split_once("/file/").map_or(name, |(_, name)| name)).to(Some(href.clone()))]
    };
    let lines: Vec<WordLine> = items.map(link).collect();
    (!lines.is_empty()).then(|| Section::new("files", "Files of the record", vec![PagePiece::Names(lines)]))
}
