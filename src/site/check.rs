//! The page on which files are looked at before anything is scored.

use serde_json::Value;

use crate::base::error::Error;
use crate::base::text::{self, counted};
use crate::profiles::loaders::Loader;
use crate::record::rerun;
use crate::report::checked::{CheckedFile, MetIds};
use crate::site::context::PageContext;
use crate::site::form::{FieldKind, FormButton, FormField, FormGroup, FormOption, WebForm};
use crate::site::page::{
    PagePiece, PageSheet, Section, SheetCell, SheetHead, SheetRow, SitePage, WordLine, Words,
};
use crate::site::route::{ListPage, Route};
use crate::sources::catalogue::Entry;

/// So many issues of a file are on the page; all of them are in the JSON.
const ISSUES: usize = 500;

/// The page with its form, and what was found.
#[derive(Debug, Clone, Default)]
pub struct CheckPage {
    /// The datasets with whose ids those of a file can be compared.
    pub datasets: Vec<&'static Entry>,
    /// The dataset that was chosen.
    pub against: Vec<String>,
    /// The loader that was chosen.
    pub loader: Vec<String>,
    /// The encoding that was named.
    pub encoding: String,
    /// Why nothing was looked at, by the fields of the form.
    pub problems: Vec<(String, Error)>,
    /// What was found.
    pub files: Vec<CheckedFile>,
    /// Where the server is.
    pub place: String,
}

impl CheckPage {
    /// The page.
    pub(crate) fn page(&self, context: &PageContext<'_>) -> SitePage {
        let form = self.form();
        let failed = (!self.problems.is_empty()).then(|| to_mend(&form, &self.problems, Vec::new()));
        let form = PagePiece::Form(form);
        let sections = self.files.iter().enumerate().map(|(at, file)| checked_section(at, file));
        // The command line compares no ids.
        let against = [("against", self.against.first())];
        let options = [("loader", self.loader.first()), ("encoding", Some(&self.encoding))];
        let chosen = |options: &[(&str, Option<&String>)], write: &dyn Fn(&str, &str) -> String| {
            let chosen = options.iter().filter_map(|(name, value)| Some((*name, value.as_ref()?)));
            let chosen = chosen.filter(|(_, value)| !value.is_empty());
            chosen.flat_map(|(name, value)| [" ".to_owned(), write(name, value)]).collect::<String>()
        };
        let line = format!("qassay check answers.json{}", chosen(&options, &rerun::option));
        let field = |name: &str, value: &str| format!("-F {name}={}", rerun::quoted(value));
        let fields = [chosen(&against, &field), chosen(&options, &field)].concat();
        let program = format!("curl -F file=@answers.json{fields} {}api/v1/check", self.place);
        let same = vec![PagePiece::code("sh", &line), PagePiece::code("sh", &program)];
        let next = vec![
            Words::plain("Evaluate it").to(context.href(&Route::List(ListPage::New))),
            Words::plain(", or mend it and check again."),
        ];
        let next = (!self.files.is_empty()).then(|| PagePiece::text(next));
        SitePage {
            title: "Check a file".to_owned(),
            kicker: "Check a file".to_owned(),
            heading: vec![Words::plain("Check a file")],
            lead: vec![Words::plain(
                "What it holds and what is wrong with it, by line. Nothing is scored and nothing is kept.",
            )],
            pieces: failed.into_iter().chain([form]).chain(next).collect(),
            sections: sections
                .chain([Section::new("same", "The same on the command line, or by a program", same)])
                .collect(),
            ..SitePage::default()
        }
    }

    fn form(&self) -> WebForm {
        let option = |entry: &&'static Entry| FormOption::new(entry.name, entry.title, "", &self.against);
        let unchosen = |label: &str| [FormOption { label: label.to_owned(), ..FormOption::default() }];
        let loaders =
            Loader::ALL.map(|loader| FormOption::new(loader.name(), loader.name(), "", &self.loader));
        let loaders = unchosen("all").into_iter().chain(loaders).collect();
        let options = unchosen("nothing").into_iter().chain(self.datasets.iter().map(option)).collect();
        let fields = vec![
            FormField::new(
                "file",
                "Files",
                "Datasets or answers, up to 10 files of 32 MB, packed or not. The format is recognised by content.",
                FieldKind::Files { is_many: true },
            ),
            FormField::new("against", "Compare the ids with", "", FieldKind::List(options)),
            FormField::new(
                "loader",
                "Questions that a loader takes",
                "Peers load fewer questions than a file has: which, and why.",
                FieldKind::List(loaders),
            ),
            FormField::new(
                "encoding",
                "Encoding",
                "As the file says, else UTF-8, else a guess; here where you know it better.",
                FieldKind::Line(text::html(&self.encoding).into_owned(), "windows-1252"),
            ),
        ];
        let error = |name: &str| {
            let own = self.problems.iter().find(|(field, _)| field == name);
            own.map(|(_, error)| error.told().0.join(" ")).unwrap_or_default()
        };
        let fields =
            fields.into_iter().map(|field| FormField { error: error(&field.name), ..field }).collect();
        WebForm {
            action: "check".to_owned(),
            has_files: true,
            groups: vec![FormGroup { fields, ..FormGroup::default() }],
            buttons: vec![FormButton::main("Check")],
            ..WebForm::default()
        }
    }
}

/// What there is to mend in a form, each with a link to its field; and what is still here.
pub(crate) fn to_mend(form: &WebForm, problems: &[(String, Error)], kept: Vec<String>) -> PagePiece {
    let told = |(field, error): &(String, Error)| {
        let (said, excerpt) = error.told();
        (form.place_of(field).unwrap_or_default(), [said.join(" "), excerpt].concat())
    };
    let title = format!("{} to mend", counted(problems.len() as u64, "thing"));
    PagePiece::Problems(title, problems.iter().map(told).collect(), kept)
}

/// An error, with the lines where it is.
pub(crate) fn failure(title: &str, error: &Error) -> PagePiece {
    let (said, excerpt) = error.told();
    PagePiece::Failure(title.to_owned(), said, excerpt)
}

/// What was found in a file.
pub(crate) fn checked_section(at: usize, file: &CheckedFile) -> Section {
    let id = format!("file-{}", at + 1);
    let Some(report) = &file.report else {
        let failed = file.error.iter().map(|error| failure("It cannot be read", error));
        return Section::new(&id, &format!("✕ {} cannot be read", file.file), failed.collect());
    };
    let issues: Vec<&Value> = report["issues"].as_array().into_iter().flatten().collect();
    let of = |severity: &str| issues.iter().filter(|issue| issue["severity"] == severity).count();
    let (errors, warnings, notes) = (of("error"), of("warning"), of("note"));
    let (sign, title) = match (errors, warnings) {
        (0, 0) => ("✓", "can be used"),
        _ => ("!", "can be used, with what is listed"),
    };
    let more =
        report["issuesLeftOut"].as_u64().map(|count| format!("; and {count} more, which are not told"));
    let counts = [counted(errors, "error"), counted(warnings, "warning"), counted(notes, "note")].join(", ");
    let mut pieces = vec![
        PagePiece::said(&format!("{counts}{}.", more.unwrap_or_default())),
        PagePiece::Facts(facts(report)),
    ];
    pieces.extend(file.against.as_ref().map(met));
    pieces.extend(file.loaded.iter().flat_map(|loaded| match loaded {
        Ok(loaded) => taken(&id, loaded),
        Err(error) => vec![failure("The loader refuses it", error)],
    }));
    if !issues.is_empty() {
        pieces.push(PagePiece::Sheet(sheet(&id, &issues)));
    }
    Section::new(&id, &format!("{sign} {} {title}", file.file), pieces)
}

fn facts(report: &Value) -> Vec<(Words, Vec<WordLine>)> {
    let line = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Object(parts) if parts.is_empty() => "none".to_owned(),
        Value::Object(parts) => {
            parts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    };
    let named = [
        ("Format", "format"),
        ("Says it is", "dataset"),
        ("In the catalogue", "catalogue"),
        ("Counts", "counts"),
        ("Answers", "answerKinds"),
        ("Answer types", "answerTypes"),
        ("Languages", "languages"),
        ("Bytes", "bytes"),
        ("sha256", "sha256"),
    ];
    let known = named.into_iter().filter(|(_, name)| !report[*name].is_null());
    known.map(|(what, name)| (Words::plain(what), vec![vec![Words::foreign(&line(&report[name]))]])).collect()
}

/// What a loader takes of a file, and what it does to the rest.
fn taken(id: &str, loaded: &Value) -> Vec<PagePiece> {
    let list = |name: &str| loaded[name].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let row = |what: &str, one: &Value, why: String| -> SheetRow {
        vec![Words::foreign(&text(&one["id"])).into(), Words::plain(what).into(), Words::foreign(&why).into()]
            .into()
    };
    let left_out = list("leftOut");
    let why = |one: &Value| {
        let detail = one["detail"].as_str().map(|detail| format!(": {detail}")).unwrap_or_default();
        format!("{}{detail}", text(&one["reason"]))
    };
    let rows: Vec<SheetRow> = left_out.iter().map(|one| row("left out", one, why(one))).collect();
    let changed = list("changed");
    let rows: Vec<SheetRow> =
        rows.into_iter().chain(changed.iter().map(|one| row("changed", one, text(&one["change"])))).collect();
    let said = format!(
        "The loader {} takes {}, leaves out {} and changes {}.",
        text(&loaded["loader"]),
        counted(loaded["loaded"].as_u64().unwrap_or_default(), "question"),
        left_out.len(),
        changed.len()
    );
    let sheet = PageSheet {
        id: format!("{id}-loaded"),
        caption: vec![Words::plain(&if rows.len() > ISSUES {
            format!("The first {ISSUES} of {} questions; the API gives all.", rows.len())
        } else {
            "What becomes of these questions.".to_owned()
        })],
        heads: ["Question", "What", "Why"].map(SheetHead::text).to_vec(),
        rows: rows.into_iter().take(ISSUES).collect(),
        ..PageSheet::default()
    };
    let told = [PagePiece::Notice("", vec![Words::foreign(&said)])];
    told.into_iter().chain((!sheet.rows.is_empty()).then_some(PagePiece::Sheet(sheet))).collect()
}

fn met(ids: &MetIds) -> PagePiece {
    let missing = ids.questions - ids.met.min(ids.questions);
    let unknown = match ids.unknown_count {
        0 => String::new(),
        count => format!(" {count} of the file it does not have: {}.", ids.unknown.join(", ")),
    };
    let said = format!(
        "Against {}: {} of {} ids are here; {missing} are missing and would count as unanswered.{unknown}",
        ids.dataset, ids.met, ids.questions
    );
    PagePiece::Notice("", vec![Words::foreign(&said)])
}

fn sheet(id: &str, issues: &[&Value]) -> PageSheet {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let severity = |name: &str| match name {
        "error" => Words::tag("bad", "✕ error"),
        "warning" => Words::tag("warn", "! warning"),
        _ => Words::tag("quiet", "note"),
    };
    let row = |issue: &&Value| -> SheetRow {
        let question = issue["question"].as_str().map(|id| format!("question {id}"));
        let place: Vec<String> =
            question.into_iter().chain(issue["path"].as_str().map(str::to_owned)).collect();
        let cells: Vec<SheetCell> = vec![
            severity(&text(&issue["severity"])).into(),
            Words::code(&text(&issue["code"])).into(),
            SheetCell::number(&issue["line"].as_u64().map(|line| line.to_string()).unwrap_or_default()),
            Words::foreign(&place.join(", ")).into(),
            Words::foreign(&text(&issue["message"])).into(),
        ];
        cells.into()
    };
    let mut sorted: Vec<&Value> = issues.to_vec();
    let rank =
        |issue: &Value| ["error", "warning"].iter().position(|one| issue["severity"] == **one).unwrap_or(2);
    sorted.sort_by_key(|issue| rank(issue));
    let caption = if issues.len() > ISSUES {
        format!("The first {ISSUES} of {} issues, the severest first; the API gives all.", issues.len())
    } else {
        "Every issue, the severest first.".to_owned()
    };
    PageSheet {
        id: format!("{id}-issues"),
        caption: vec![Words::plain(&caption)],
        heads: vec![
            SheetHead::text("Severity"),
            SheetHead::text("What"),
            SheetHead::number(Words::plain("Line")),
            SheetHead::text("Place"),
            SheetHead::text("Message"),
        ],
        rows: sorted.iter().take(ISSUES).map(row).collect(),
        ..PageSheet::default()
    }
}
