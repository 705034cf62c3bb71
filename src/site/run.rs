//! The page of a run: how far it is, what came of each part, and what its owner may do with it.

use std::collections::BTreeMap;

use crate::base::error::Error;
use crate::base::text::counted;
use crate::base::watch::FailedSteps;
use crate::measures::metric::Metric;
use crate::record::results::decimal::Decimal;
use crate::report::columns::heading;
use crate::report::evaluations::DIGITS_FOR_PEOPLE;
use crate::site::check::failure;
use crate::site::form::{FieldKind, FormButton, FormField, FormGroup, WebForm};
use crate::site::new::publishing;
use crate::site::page::{
    PagePiece, PageSheet, Section, SheetCell, SheetHead, SheetRow, SitePage, WordLine, Words,
};

/// The page of a run.
#[derive(Debug, Clone)]
pub struct RunPage {
    /// When it was begun, in UTC.
    pub started: String,
    /// The day on which it will be deleted when nobody looks.
    pub expires: String,
    /// Its parts, in their order.
    pub parts: Vec<ShownRunPart>,
    /// What the links to results begin with.
    pub below: String,
    /// Where changes are told.
    pub events: String,
    /// How often something has changed.
    pub number: u64,
    /// What becomes public of it.
    pub publication: RunPublication,
    /// The addresses for looking and for managing; nothing for who may look only.
    pub addresses: Option<[String; 2]>,
    /// Why its owner cannot publish it by a form, where he cannot.
    pub closed: Option<String>,
    /// Who judges its answers, if somebody does.
    pub judging: RunJudging,
    /// What the owner sent last that could not be done.
    pub problem: Option<Error>,
    /// What the owner filled in.
    pub sent: BTreeMap<String, Vec<String>>,
}

/// Who judges the answers of a run.
#[derive(Debug, Clone, Default)]
pub struct RunJudging {
    /// Name, address, how many answers are judged, and how many there are.
    pub assessors: Vec<(String, String, [usize; 2])>,
    /// The share of equal verdicts, and the kappa; nothing: not defined.
    pub agreement: [Option<String>; 2],
}

/// A part of a run.
#[derive(Debug, Clone)]
pub struct ShownRunPart {
    /// The dataset.
    pub dataset: String,
    /// The system.
    pub system: String,
    /// How far it is.
    pub state: ShownRunState,
    /// The questions to which a system that is asked gave no usable reply; nothing where none is asked.
    pub failures: Option<FailedSteps>,
}

/// How far a part of a run is.
#[derive(Debug, Clone)]
pub enum ShownRunState {
    /// Its place in the queue, from 1; 0: not known yet.
    Waiting(usize),
    /// It is being done.
    Running(RunStage),
    /// What came of it.
    Done(Vec<RunResult>),
    /// Why nothing did.
    Failed(Error),
    /// Somebody stopped it.
    Stopped,
}

/// What is said to whoever sends what somebody else has published.
const KNOWN_BYTES: &str = " An evaluation is known by the bytes of its answers: it stands there under the name that it was published with.";

/// What is being done of a part of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunStage {
    /// What, as the metrics count it.
    pub name: String,
    /// The steps that are done.
    pub done: u64,
    /// All steps; 0: nobody knows.
    pub of: u64,
    /// Those of all stages so far that failed.
    pub failures: Option<FailedSteps>,
}

impl RunStage {
    /// One that begins.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), done: 0, of: 0, failures: None }
    }
}

/// An evaluation of a run.
#[derive(Debug, Clone)]
pub struct RunResult {
    /// Its key.
    pub key: String,
    /// The name of the profile.
    pub profile: String,
    /// The measure that is told.
    pub measure: String,
    /// Its value; nothing where it is not defined.
    pub value: Option<String>,
    /// Whether it is public, and not by this run.
    pub is_known: bool,
}

/// What becomes public of a run.
#[derive(Debug, Clone)]
pub enum RunPublication {
    /// Nothing: only who has the address sees it.
    Private,
    /// It is being verified and published, or will be when all is done.
    Wanted,
    /// It was not published.
    Refused(Error),
    /// It is public: the IRI, and the address here.
    Public {
        /// The IRI.
        iri: String,
        /// The address of its page.
        address: String,
        /// How many evaluations became public by it: those that were public before are not published again.
        members: usize,
        /// Whether this run published it: another one may have had the same.
        is_own: bool,
        /// Whether it was withdrawn.
        is_withdrawn: bool,
    },
}

impl RunPage {
    /// Whether nothing more will happen by itself.
    pub fn is_over(&self) -> bool {
        let moves = |part: &ShownRunPart| {
            matches!(part.state, ShownRunState::Waiting(_) | ShownRunState::Running(..))
        };
        !self.parts.iter().any(moves) && !matches!(self.publication, RunPublication::Wanted)
    }

    /// How many evaluations came of it.
    fn results(&self) -> usize {
        let of = |part: &ShownRunPart| match &part.state {
            ShownRunState::Done(results) => results.len(),
            _ => 0,
        };
        self.parts.iter().map(of).sum()
    }

    /// How many of what came of it are public otherwise.
    fn known(&self) -> usize {
        let of = |part: &ShownRunPart| match &part.state {
            ShownRunState::Done(results) => results.iter().filter(|one| one.is_known).count(),
            _ => 0,
        };
        self.parts.iter().map(of).sum()
    }

    fn is_public(&self) -> bool {
        matches!(self.publication, RunPublication::Public { is_withdrawn: false, .. })
    }

    /// The page.
    pub(crate) fn page(&self) -> SitePage {
        let done = self.parts.iter().filter(|part| matches!(part.state, ShownRunState::Done(_))).count();
        let is_stopped = self.parts.iter().any(|part| matches!(part.state, ShownRunState::Stopped));
        let stopped = if is_stopped && self.is_over() { "Stopped: " } else { "" };
        let title = format!("{stopped}{done} of {} done", counted(self.parts.len(), "part"));
        let begun = self.started.get(..16).unwrap_or(&self.started).replace('T', ", ");
        let mut pieces = Vec::new();
        let bar = Words::progress(done as u64, self.parts.len() as u64, &title);
        pieces.push(PagePiece::text(vec![bar]));
        pieces.extend(self.state());
        pieces.push(PagePiece::Sheet(self.sheet()));
        let is_over = self.is_over();
        let again = if is_over { "" } else { " With script, this page follows by itself what is done." };
        let mut sections: Vec<Section> = self.kept().into_iter().collect();
        if self.addresses.is_some() {
            sections.extend(self.managing(is_over));
        }
        SitePage {
            title: title.clone(),
            kicker: if self.is_public() { "Run" } else { "Private · run" }.to_owned(),
            heading: vec![Words::plain(&title)],
            lead: vec![
                Words::plain(&format!("Started {begun} UTC.{again} ")),
                Words::plain("Reload")
                    .to(Some(if self.addresses.is_some() { "." } else { "run" }.to_owned())),
                Words::plain("."),
            ],
            pieces,
            sections,
            live: (!is_over).then(|| (self.events.clone(), self.number)),
            ..SitePage::default()
        }
    }

    /// Who sees it.
    fn state(&self) -> Option<PagePiece> {
        let notice = |class, line: WordLine| Some(PagePiece::Notice(class, line));
        match &self.publication {
            RunPublication::Private => notice(
                "",
                vec![
                    Words::tag("quiet", "private"),
                    Words::plain(&format!(
                        " Only who has the address sees this. It is in no list, no SPARQL result and no search engine{}. It is deleted on {} \
                         unless somebody looks before.",
                        if self.known() > 0 { ", but for what was public before" } else { "" },
                        self.expires
                    )),
                ],
            ),
            RunPublication::Wanted => notice(
                "",
                vec![Words::tag("", "publishing"), Words::plain(" when all is done and verified.")],
            ),
            RunPublication::Refused(error) => Some(failure("It was not published", error)),
            RunPublication::Public { iri, is_withdrawn: true, .. } => {
                notice("bad", vec![Words::tag("bad", "✕ withdrawn"), Words::plain(" "), Words::iri(iri)])
            }
            RunPublication::Public { iri, address, members, is_own, .. } => {
                let before = self.known();
                let gone = self.results().saturating_sub(*members + before);
                let told = |count: usize, what: &str| {
                    let counted = counted(count as u64, "evaluation");
                    if count == 0 {
                        String::new()
                    } else {
                        format!(" {counted} {what} before: not published again.")
                    }
                };
                let rest = if *is_own {
                    told(before, "public") + &told(gone, "withdrawn")
                } else {
                    KNOWN_BYTES.to_owned()
                };
                notice(
                    "good",
                    vec![
                        Words::tag("ok", "✓ published"),
                        Words::plain(if *is_own {
                            " Verified on publication: "
                        } else {
                            " All of it was public before: "
                        }),
                        Words::iri(iri).to(Some(format!("../../{address}"))),
                        Words::plain(&rest),
                    ],
                )
            }
        }
    }

    fn sheet(&self) -> PageSheet {
        let row = |part: &ShownRunPart| -> SheetRow {
            let (state, what) = self.told(part);
            let cells: Vec<SheetCell> = vec![
                Words::foreign(&part.system).into(),
                Words::foreign(&part.dataset).into(),
                state.into(),
                what.into(),
            ];
            cells.into()
        };
        PageSheet {
            id: "parts".to_owned(),
            caption: vec![Words::plain(if self.is_over() {
                "What came of each part."
            } else {
                "What is done can be looked at while the rest runs."
            })],
            heads: ["System", "Dataset", "State", "What"].map(SheetHead::text).to_vec(),
            rows: self.parts.iter().map(row).collect(),
            ..PageSheet::default()
        }
    }

    fn told(&self, part: &ShownRunPart) -> (Words, WordLine) {
        match &part.state {
            ShownRunState::Waiting(0) => (Words::tag("quiet", "waiting"), Vec::new()),
            ShownRunState::Waiting(place) => {
                (Words::tag("quiet", "waiting"), vec![Words::plain(&format!("place {place} in the queue"))])
            }
            ShownRunState::Running(RunStage { name, done, of, .. }) => {
                let said = format!("{name}, {done} of {of} ");
                let mut line = vec![Words::plain(if *of > 0 { &said } else { name })];
                line.extend(
                    (*of > 0)
                        .then(|| Words::progress(*done, *of, &format!("{}: {done} of {of}", part.system))),
                );
                line.extend(failed_of(part));
                (Words::tag("", if name == "asking" { "asking" } else { "running" }), line)
            }
            ShownRunState::Stopped => (Words::tag("quiet", "stopped"), vec![Words::plain("by its owner")]),
            ShownRunState::Failed(error) => {
                (Words::tag("bad", "✕ failed"), vec![Words::foreign(&error.told().0.join(" "))])
            }
            ShownRunState::Done(results) => {
                let link = |result: &RunResult| {
                    let value = result.value.as_deref().and_then(Decimal::parse);
                    let value = value
                        .map_or_else(|| "not defined".to_owned(), |value| value.to_fixed(DIGITS_FOR_PEOPLE));
                    let measure =
                        Metric::named(&result.measure).map_or_else(|| result.measure.clone(), heading);
                    let text = format!("{measure} {value}");
                    let href = Some(format!("{}evaluation/{}", self.below, result.key));
                    let href = href.filter(|_| !matches!(self.publication, RunPublication::Public { .. }));
                    let mut words =
                        vec![Words::plain(&text).to(href), Words::soft(&format!(" {} ", result.profile))];
                    if result.is_known {
                        let public = format!("../../evaluation/{}", result.key);
                        words.extend([Words::plain("public before").to(Some(public)), Words::plain(" ")]);
                    }
                    words
                };
                let told = results.iter().flat_map(link).chain(failed_of(part)).collect();
                (Words::tag("ok", "✓ done"), told)
            }
        }
    }

    /// Where to look further.
    fn kept(&self) -> Option<Section> {
        let private = !matches!(self.publication, RunPublication::Public { .. });
        let link = |path: &str, text: &str| Words::plain(text).to(Some(format!("{}{path}", self.below)));
        let words = vec![
            link("results", "All results of this run"),
            Words::plain(" · "),
            link("sparql", "ask them by SPARQL"),
        ];
        private.then(|| Section::new("results", "Results", vec![PagePiece::text(words)]))
    }

    fn managing(&self, is_over: bool) -> Vec<Section> {
        let [look, manage] = self.addresses.clone().unwrap_or_default();
        let facts = [("To look", look), ("To publish or delete", manage)]
            .map(|(what, address)| (Words::plain(what), vec![vec![Words::iri(&address)]]));
        let keep = Section::new(
            "keep",
            "Keep these two addresses",
            vec![
                PagePiece::said(
                    "Nobody can find them for you: there are no accounts, and only their checksums are stored.",
                ),
                PagePiece::Facts(facts.to_vec()),
            ],
        );
        let judging = self.judging_section(is_over);
        let failed = self.problem.iter().map(|error| failure("This could not be done", error));
        let forms: Vec<PagePiece> = failed.chain(self.forms(is_over)).collect();
        let manage = (!forms.is_empty()).then(|| Section::new("manage", "What becomes of it", forms));
        [keep].into_iter().chain(manage).chain(judging).collect()
    }

    /// Who judges the answers, and how to have more people do so.
    fn judging_section(&self, is_over: bool) -> Option<Section> {
        let has_results = self.parts.iter().any(|part| matches!(part.state, ShownRunState::Done(_)));
        let is_open = matches!(self.publication, RunPublication::Private | RunPublication::Refused(_));
        if !(is_over && has_results && is_open) {
            return None;
        }
        let mut pieces = vec![PagePiece::said(
            "For open questions, where no file knows every right answer: people say which answers are correct, inexact, repeated or incorrect. \
             Each has an address of his own, and sees no names of systems.",
        )];
        if !self.judging.assessors.is_empty() {
            let row = |(name, address, [judged, all]): &(String, String, [usize; 2])| -> SheetRow {
                let cells: Vec<SheetCell> = vec![
                    Words::foreign(name).into(),
                    SheetCell::number(&format!("{judged} of {all}")),
                    Words::iri(address).into(),
                ];
                cells.into()
            };
            pieces.push(PagePiece::Sheet(PageSheet {
                id: "assessor-table".to_owned(),
                caption: vec![Words::plain("Give each person one of these addresses.")],
                heads: vec![
                    SheetHead::text("Who"),
                    SheetHead::number(Words::plain("Judged")),
                    SheetHead::text("Address"),
                ],
                rows: self.judging.assessors.iter().map(row).collect(),
                ..PageSheet::default()
            }));
            let [agreement, kappa] = &self.judging.agreement;
            let or_none = |value: &Option<String>| value.clone().unwrap_or_else(|| "not defined".to_owned());
            pieces.push(PagePiece::text(vec![
                Words::plain(&format!("Equal verdicts: {}; kappa: {}. ", or_none(agreement), or_none(kappa))),
                Words::plain("The file of assessments").to(Some("assessments.csv".to_owned())),
                Words::plain(" is one like any other."),
            ]));
            pieces.push(owners_form(
                "score-judged",
                Vec::new(),
                FormButton { is_main: false, ..FormButton::main("Score with these assessments") },
            ));
        }
        let names = FormField::new(
            "assessors",
            "Who is to judge",
            "Names, separated by commas.",
            FieldKind::Line(String::new(), "Ada, Ben"),
        );
        pieces.push(owners_form(
            "judge",
            vec![names],
            FormButton { is_main: false, ..FormButton::main("Make addresses") },
        ));
        Some(Section::new("judging", "Have the answers judged", pieces))
    }

    fn forms(&self, is_over: bool) -> Vec<PagePiece> {
        let form = owners_form;
        let simple =
            |does, label| form(does, Vec::new(), FormButton { is_main: false, ..FormButton::main(label) });
        match &self.publication {
            RunPublication::Public { is_own: true, is_withdrawn: false, .. } => {
                let reason = FormField::new(
                    "reason",
                    "Why it is withdrawn",
                    "A sentence for everybody. What is withdrawn is in no table any more; its page says why.",
                    FieldKind::Line(String::new(), "wrong file"),
                );
                vec![form(
                    "withdraw",
                    vec![reason],
                    FormButton { is_main: false, ..FormButton::main("Withdraw") },
                )]
            }
            RunPublication::Public { .. } => Vec::new(),
            RunPublication::Wanted => vec![simple("stop", "Stop what is left")],
            RunPublication::Private | RunPublication::Refused(_) => {
                let has_results = self.parts.iter().any(|part| matches!(part.state, ShownRunState::Done(_)));
                let fields = publishing(FormField::new, &self.sent).to_vec();
                let publish = has_results.then(|| match &self.closed {
                    Some(why) => PagePiece::said(why),
                    None => form("publish", fields, FormButton::main("Publish")),
                });
                let stop = (!is_over).then(|| simple("stop", "Stop what is left"));
                publish.into_iter().chain(stop).chain([simple("delete", "Delete all of it")]).collect()
            }
        }
    }
}

/// What failed of a system that is asked.
fn failed_of(part: &ShownRunPart) -> WordLine {
    let Some(FailedSteps { count, last }) = part.failures.as_ref().filter(|failed| failed.count > 0) else {
        return Vec::new();
    };
    let mut line = vec![Words::plain(&format!(" {} without a usable reply", counted(*count, "question")))];
    line.extend(last.iter().flat_map(|last| [Words::plain(", the last: "), Words::foreign(last)]));
    line
}

/// A form by which the owner has something done.
fn owners_form(does: &str, fields: Vec<FormField>, button: FormButton) -> PagePiece {
    PagePiece::Form(WebForm {
        action: ".".to_owned(),
        hidden: vec![("do".to_owned(), does.to_owned())],
        groups: vec![FormGroup { fields, ..FormGroup::default() }],
        buttons: vec![button],
        ..WebForm::default()
    })
}
