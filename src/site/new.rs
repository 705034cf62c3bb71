//! The page on which evaluations are begun: datasets, answers, how to score, who sees it.

use std::collections::BTreeMap;

use crate::base::error::Error;
use crate::base::text::{self, counted};
use crate::profiles::Profile;
use crate::profiles::loaders::{Loader, Part};
use crate::profiles::same_as::Mode;
use crate::record::rerun::option;
use crate::report::checked::CheckedFile;
use crate::site::check::{checked_section, to_mend};
use crate::site::context::PageContext;
use crate::site::form::{FieldKind, FormButton, FormField, FormGroup, FormOption, WebForm};
use crate::site::page::{PagePiece, Section, SitePage, Words};
use crate::site::route::{ListPage, Route};
use crate::sources::catalogue::Entry;

/// The page with its form.
#[derive(Debug, Clone, Default)]
pub struct NewPage {
    /// What can be scored.
    pub offer: RunOffer,
    /// What was sent before, by the names of fields.
    pub sent: BTreeMap<String, Vec<String>>,
    /// What names the files that were sent before, and these: the field and the name of each.
    pub tray: Option<(String, Vec<(String, String)>)>,
    /// What is wrong with what was sent: the field, and why.
    pub problems: Vec<(String, Error)>,
    /// What was found in the files, where they were only to be looked at.
    pub checked: Vec<CheckedFile>,
    /// What was handed in in a test phase, as a sentence each.
    pub accepted: Vec<String>,
    /// The lines that would do the same at the command line.
    pub lines: Vec<String>,
    /// Where the server is.
    pub place: String,
}

/// What a server has to score with, and what it lets strangers do.
#[derive(Debug, Clone, Default)]
pub struct RunOffer {
    /// The datasets of the catalogue that are here.
    pub datasets: Vec<&'static Entry>,
    /// The registered link sets.
    pub links: Vec<String>,
    /// The pinned knowledge bases.
    pub bases: Vec<String>,
    /// The systems that may be asked by name.
    pub systems: Vec<String>,
    /// The protocols of systems that may be asked at any address; empty: none may be.
    pub protocols: Vec<(String, String)>,
    /// The test phases that go on: what names each, and what it is called.
    pub phases: Vec<(String, String)>,
    /// Why nobody may start a run here; nothing: everybody may.
    pub closed: Option<String>,
}

/// The fields of what is referred to, with what they are.
const REFERENCES: [(&str, &str, &str); 5] = [
    ("labels", "Labels", "rdfs:label and its kin, where systems answer with texts"),
    ("types", "Types", "rdf:type statements, for AIT2KB"),
    ("classes", "Classes", "rdfs:subClassOf statements, for the hierarchical measures of AIT2KB"),
    ("question-types", "Types of questions", "a table with the columns question and type"),
    ("assessments", "Assessments", "what people said about answers, for clef-2004"),
];

impl NewPage {
    fn sent(&self, name: &str) -> &[String] {
        self.sent.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    fn first(&self, name: &str) -> String {
        self.sent(name).first().cloned().unwrap_or_default()
    }

    fn field(&self, name: &str, label: &str, hint: &str, kind: FieldKind) -> FormField {
        let of_field = self.problems.iter().find(|(field, _)| field == name);
        let kept = self.tray.iter().flat_map(|(_, files)| files);
        let kept: Vec<&str> =
            kept.filter(|(field, _)| field == name).map(|(_, file)| file.as_str()).collect();
        let hint = match kept.as_slice() {
            [] => hint.to_owned(),
            names => format!("Here already: {}. {hint}", names.join(", ")),
        };
        let error = of_field.map(|(_, one)| one.told().0.join(" ")).unwrap_or_default();
        FormField { error, ..FormField::new(name, label, &hint, kind) }
    }

    fn line(&self, name: &str, label: &str, hint: &str, example: &'static str) -> FormField {
        self.field(name, label, hint, FieldKind::Line(text::html(&self.first(name)).into_owned(), example))
    }

    fn list(&self, name: &str, label: &str, hint: &str, options: &[(&str, &str)]) -> FormField {
        let options = options.iter().map(|(value, label)| FormOption::new(value, label, "", self.sent(name)));
        self.field(name, label, hint, FieldKind::List(options.collect()))
    }

    /// A choice by its names, or as it is usual.
    fn named(&self, name: &str, label: &str, names: &[&str]) -> FormField {
        let options = names.iter().map(|one| (*one, *one));
        self.list(name, label, "", &[("", "as usual")].into_iter().chain(options).collect::<Vec<_>>())
    }

    /// The page.
    pub(crate) fn page(&self, context: &PageContext<'_>) -> SitePage {
        let mut pieces = Vec::new();
        if let Some(why) = &self.offer.closed {
            pieces.push(PagePiece::Banner(vec![Words::plain(why)]));
        }
        if !self.problems.is_empty() {
            let kept = self
                .tray
                .is_some()
                .then(|| "Nothing has started. Your files are still here for an hour.".to_owned());
            pieces.push(to_mend(&self.form(), &self.problems, kept.into_iter().collect()));
        }
        let accepted =
            self.accepted.iter().map(|said| vec![Words::tag("ok", "✓ accepted"), Words::foreign(said)]);
        pieces.extend(accepted.map(|line| PagePiece::Notice("good", line)));
        pieces.push(PagePiece::Form(self.form()));
        let lines = if self.lines.is_empty() { vec![example_line()] } else { self.lines.clone() };
        let line = lines.join("\n");
        let here: Vec<&str> = self.offer.datasets.iter().map(|one| one.name).collect();
        let gold = match here.iter().find(|name| **name == EXAMPLE).or(here.first()) {
            Some(name) => format!("dataset={name}"),
            None => "gold=@gold.json".to_owned(),
        };
        let program = format!(
            "curl -F {gold} -F answers=@answers.json -F system='My system' \\\n  -F profile=qassay -F profile=gerbil {}api/v1/runs",
            self.place
        );
        let more = vec![PagePiece::code("sh", &line), PagePiece::code("sh", &program)];
        SitePage {
            title: if self.problems.is_empty() { "New evaluation" } else { "To mend: New evaluation" }
                .to_owned(),
            kicker: "New evaluation".to_owned(),
            heading: vec![Words::plain("New evaluation")],
            lead: vec![
                Words::plain(
                    "Choose a dataset, add answers, start. Everything else has a default. What you start is private until you publish it. ",
                ),
                Words::plain("Look at files first").to(context.href(&Route::List(ListPage::Check))),
                Words::plain("."),
            ],
            pieces,
            sections: self
                .checked
                .iter()
                .enumerate()
                .map(|(at, file)| checked_section(at, file))
                .chain([Section::new("same", "The same on the command line, or by a program", more)])
                .collect(),
            ..SitePage::default()
        }
    }

    fn form(&self) -> WebForm {
        let buttons = vec![
            FormButton::main("Start"),
            FormButton::other("Only check the files", "only", "check"),
            FormButton::other("Find datasets", "only", "find"),
        ];
        let tray = self.tray.iter().map(|(token, _)| ("uploads".to_owned(), token.clone()));
        WebForm {
            action: "new".to_owned(),
            is_asking: false,
            has_files: true,
            hidden: tray.collect(),
            groups: vec![self.datasets(), self.answers(), self.scoring(), self.visibility()],
            buttons,
        }
    }

    fn datasets(&self) -> FormGroup {
        let words = self.first("words").to_lowercase();
        let chosen = self.sent("dataset");
        let fits = |entry: &&&Entry| {
            let text = format!("{} {} {} {}", entry.name, entry.title, entry.kb, entry.languages.join(" "));
            words.split_whitespace().all(|word| text.to_lowercase().contains(word))
                || chosen.iter().any(|name| name == entry.name)
        };
        let option = |entry: &&'static Entry| {
            let parts = [
                entry.questions.map(|count| counted(count, "question")).unwrap_or_default(),
                entry.kb.to_owned(),
                entry.languages.join(" "),
                entry.licence.to_owned(),
                if entry.damage.is_empty() { String::new() } else { "known to be damaged".to_owned() },
            ];
            let hint: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            FormOption::new(entry.name, entry.title, &hint.join(" · "), chosen)
        };
        let options: Vec<FormOption> = self.offer.datasets.iter().filter(fits).map(option).collect();
        let count = format!(
            "{} to choose from; a button below finds them.",
            counted(self.offer.datasets.len(), "dataset")
        );
        let own = self.field(
            "gold",
            "Gold file",
            "QALD-JSON, eQALD-JSON, QALD-XML, LC-QuAD, CSV, RDF, …; also packed; at most 32 MB. It is checked before anything runs.",
            FieldKind::Files { is_many: false },
        );
        let mut fields = vec![self.line("words", "Find", &count, "qald, wikidata, de …")];
        if options.is_empty() {
            fields[0].hint =
                format!("None of {} is called so.", counted(self.offer.datasets.len(), "dataset"));
        } else {
            fields.push(self.field("dataset", "Datasets", "", FieldKind::Boxes { is_one: false, options }));
        }
        let is_open = !own.error.is_empty() || own.hint.starts_with("Here already");
        FormGroup {
            legend: "1. Datasets".to_owned(),
            fields,
            folded: self
                .phases()
                .into_iter()
                .chain([("Or bring your own gold standard".to_owned(), is_open, vec![own])])
                .collect(),
        }
    }

    /// Where answers are handed in that are scored later: in place of a dataset.
    fn phases(&self) -> Option<(String, bool, Vec<FormField>)> {
        let chosen = self.sent("phase");
        let option = |(value, label): &(String, String)| FormOption::new(value, label, "", chosen);
        let options: Vec<FormOption> = self.offer.phases.iter().map(option).collect();
        let hint = "In place of a dataset. You are told that your answers were accepted, and nothing about what is right, until the organiser \
                    releases all results.";
        let field = self.field("phase", "Test phase", hint, FieldKind::Boxes { is_one: true, options });
        (!self.offer.phases.is_empty())
            .then(|| ("Or hand in for a test phase".to_owned(), !chosen.is_empty(), vec![field]))
    }

    fn answers(&self) -> FormGroup {
        let fields = vec![
            self.field(
                "answers",
                "Answer files",
                "One file a system; at most 32 MB each. The format is recognised.",
                FieldKind::Files { is_many: true },
            ),
            self.line(
                "system",
                "Name of the system",
                "As it shall stand in tables. For several files, separate names by commas, in the order of the files; empty: the names of the files.",
                "My system",
            ),
        ];
        let mut live = Vec::new();
        if !self.offer.systems.is_empty() {
            let options = self.offer.systems.iter().map(|name| FormOption::plain(name, self.sent("ask")));
            live.push(self.field(
                "ask",
                "Systems that run",
                "They are asked each question once.",
                FieldKind::Boxes { is_one: false, options: options.collect() },
            ));
        }
        if !self.offer.protocols.is_empty() {
            live.push(self.line("endpoint", "Address", "Asked once a question, one at a time, 60 s each; only public addresses. What was answered is kept when you stop it.", "https://…"));
            let options: Vec<(&str, &str)> =
                self.offer.protocols.iter().map(|(name, title)| (name.as_str(), title.as_str())).collect();
            live.push(self.list("protocol", "Protocol", "", &options));
            live.push(self.line(
                "set",
                "Settings of the protocol",
                "NAME=VALUE, separated by commas",
                "dataset=https://…",
            ));
        }
        let is_open = live.iter().any(|field| !field.error.is_empty()) || !self.sent("ask").is_empty();
        let live = (!live.is_empty()).then(|| ("Or ask a running system".to_owned(), is_open, live));
        let keys = text::html(&self.sent("submission").join(", ")).into_owned();
        let here = self.field(
            "submission",
            "Keys of submissions",
            "Separated by commas. The page of each submission has a link that fills this in.",
            FieldKind::Line(keys, ""),
        );
        let is_open = !here.error.is_empty() || !self.sent("submission").is_empty();
        let here = ("Or take answers that are published here".to_owned(), is_open, vec![here]);
        FormGroup {
            legend: "2. Answers".to_owned(),
            fields,
            folded: [here].into_iter().chain(live).collect(),
        }
    }

    fn scoring(&self) -> FormGroup {
        let usual = ["qassay".to_owned()];
        let chosen = if self.sent.contains_key("profile") { self.sent("profile") } else { &usual[..] };
        let all = Profile::all();
        let profiles = all
            .iter()
            .map(|one| FormOption::new(&one.name, &one.name, first_sentence(&one.definition), chosen));
        let one_of = |names: &[String], none: &'static str| -> Vec<(String, String)> {
            [(String::new(), none.to_owned())]
                .into_iter()
                .chain(names.iter().map(|name| (name.clone(), name.clone())))
                .collect()
        };
        let listed = |name, label: &str, hint: &str, options: Vec<(String, String)>| {
            let options: Vec<(&str, &str)> =
                options.iter().map(|(value, label)| (value.as_str(), label.as_str())).collect();
            self.list(name, label, hint, &options)
        };
        let files = FieldKind::Files { is_many: true };
        let mut more = vec![
            self.list(
                "gold-answers",
                "Gold answers",
                "Refreshed ones are what the gold queries give on the knowledge base.",
                &[("", "of the dataset"), ("refreshed", "refreshed"), ("both", "both, side by side")],
            ),
            self.named("same-as", "Equal resources, for the gerbil profiles", &Mode::ALL.map(Mode::name)),
            self.named(
                "loader",
                "Loader: which questions of the gold file count",
                &Loader::ALL.map(Loader::name),
            ),
            self.named("part", "Part of the gold file", &Part::ALL.map(Part::name)),
            self.line("cutoffs", "Cut-offs", "Ranks, separated by commas.", "1, 5, 10"),
            self.line("experiment", "Experiment types", "Only these, separated by commas.", "QA, C2KB"),
            self.field("links-file", "A file of links", "", files.clone()),
        ];
        more.extend(REFERENCES.map(|(name, label, hint)| self.field(name, label, hint, files.clone())));
        let is_open = more.iter().any(|field| !field.error.is_empty());
        FormGroup {
            legend: "3. How to score".to_owned(),
            fields: vec![
                self.field(
                    "profile",
                    "Profiles",
                    "With several you see which questions they count differently, and why.",
                    FieldKind::Boxes { is_one: false, options: profiles.collect() },
                ),
                self.line("language", "Language of the questions", "A tag; empty: any.", "en"),
                listed(
                    "links",
                    "Links (owl:sameAs)",
                    "Needed where gold and answers are over different knowledge graphs.",
                    one_of(&self.offer.links, "none"),
                ),
                listed(
                    "kb",
                    "Knowledge base",
                    "A pinned version on which queries are run.",
                    one_of(&self.offer.bases, "none: the answers of the files count"),
                ),
            ],
            folded: vec![("Gold answers, labels, types, cut-offs, assessments".to_owned(), is_open, more)],
        }
    }

    fn visibility(&self) -> FormGroup {
        let usual = ["private".to_owned()];
        let chosen = if self.sent.contains_key("visibility") { self.sent("visibility") } else { &usual[..] };
        let options = vec![
            FormOption::new(
                "private",
                "Private",
                "You get two secret addresses: one to look, one to publish or delete. Deleted after 90 days without a visit.",
                chosen,
            ),
            FormOption::new(
                "public",
                "Published when it is done",
                "With a permanent IRI, in the archive, its RDF and SPARQL. It cannot be unmade: it can be withdrawn with a reason.",
                chosen,
            ),
        ];
        let visibility =
            self.field("visibility", "Who sees it", "", FieldKind::Boxes { is_one: true, options });
        let fields = [visibility]
            .into_iter()
            .chain(publishing(|name, label, hint, kind| self.field(name, label, hint, kind), &self.sent))
            .collect();
        FormGroup { legend: "4. Who sees it".to_owned(), fields, folded: Vec::new() }
    }
}

/// The dataset of examples.
pub(crate) const EXAMPLE: &str = "qald-9-test";

/// A line that scores a file at the command line.
pub(crate) fn example_line() -> String {
    let options =
        [("system", "My system"), ("profile", "qassay,gerbil")].map(|(name, value)| option(name, value));
    format!("qassay evaluate {EXAMPLE} answers.json {}", options.join(" "))
}

fn first_sentence(text: &str) -> &str {
    text.split_inclusive(". ").next().unwrap_or_default().trim_end()
}

/// What is asked of who publishes.
pub(crate) fn publishing(
    field: impl Fn(&'static str, &str, &str, FieldKind) -> FormField,
    sent: &BTreeMap<String, Vec<String>>,
) -> [FormField; 3] {
    let value = |name: &str| sent.get(name).cloned().unwrap_or_default();
    let creator = FieldKind::Line(
        text::html(&value("creator").concat()).into_owned(),
        "Josiah Carberry <0000-0002-1825-0097>",
    );
    let licences = [
        ("", "not stated: files are not offered, only checksums and scores"),
        ("CC-BY-4.0", "CC BY 4.0"),
        ("CC0-1.0", "CC0 1.0"),
    ];
    let chosen = value("licence");
    let other = chosen.iter().filter(|word| licences.iter().all(|(known, _)| known != word));
    let all = licences.into_iter().chain(other.map(|word| (word.as_str(), word.as_str())));
    let licences = all.map(|(word, name)| FormOption::new(word, name, "", &chosen)).collect();
    let title = FieldKind::Line(text::html(&value("title").concat()).into_owned(), "");
    [
        field(
            "creator",
            "Who made it",
            "Name and ORCID, or name and the address of a page. Needed when it is published.",
            creator,
        ),
        field(
            "licence",
            "Licence of your answers",
            "And of your own gold file, if there is one.",
            FieldKind::List(licences),
        ),
        field("title", "Title", "What the publication is called; empty: what is in it.", title),
    ]
}
