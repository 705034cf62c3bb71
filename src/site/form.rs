//! Forms: fields with their hints, and what is wrong with each, in words beside it.

use std::borrow::Cow;

use crate::base::text;

/// A form.
#[derive(Debug, Clone, Default)]
pub(crate) struct WebForm {
    /// Where it is sent.
    pub(crate) action: String,
    /// Whether it only asks for something: what is filled in stands in the address.
    pub(crate) is_asking: bool,
    /// Whether files are sent with it.
    pub(crate) has_files: bool,
    /// What is sent beside the fields: names and values.
    pub(crate) hidden: Vec<(String, String)>,
    pub(crate) groups: Vec<FormGroup>,
    pub(crate) buttons: Vec<FormButton>,
}

/// Fields that belong together.
#[derive(Debug, Clone, Default)]
pub(crate) struct FormGroup {
    /// What they are about; empty: the form has one group.
    pub(crate) legend: String,
    pub(crate) fields: Vec<FormField>,
    /// What few need: the summary, whether it is open, and the fields behind it.
    pub(crate) folded: Vec<(String, bool, Vec<FormField>)>,
}

/// A field.
#[derive(Debug, Clone)]
pub(crate) struct FormField {
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) hint: String,
    /// What is wrong with it; empty: nothing.
    pub(crate) error: String,
    pub(crate) kind: FieldKind,
}

/// What can be filled in.
#[derive(Debug, Clone)]
pub(crate) enum FieldKind {
    /// A line: its value and an example.
    Line(String, &'static str),
    /// One or several files.
    Files { is_many: bool },
    /// Some of several, each with a box; or one of several, where `is_one`.
    Boxes { is_one: bool, options: Vec<FormOption> },
    /// One of several, in a list.
    List(Vec<FormOption>),
}

/// What can be chosen.
#[derive(Debug, Clone, Default)]
pub(crate) struct FormOption {
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) hint: String,
    pub(crate) is_chosen: bool,
}

/// A button that sends the form.
#[derive(Debug, Clone)]
pub(crate) struct FormButton {
    pub(crate) label: &'static str,
    /// Name and value that are sent with it; empty: none.
    pub(crate) sends: (&'static str, &'static str),
    pub(crate) is_main: bool,
}

impl WebForm {
    /// Whether it stands in a line above what it is about: it asks with some lines and lists.
    pub(crate) fn is_inline(&self) -> bool {
        let is_small = |field: &FormField| matches!(field.kind, FieldKind::Line(..) | FieldKind::List(_));
        self.is_asking && self.groups.iter().flat_map(|group| &group.fields).all(is_small)
    }
}

impl WebForm {
    /// The place of a field on the page; nothing where the form does not have it.
    pub(crate) fn place_of(&self, name: &str) -> Option<String> {
        let folded = self.groups.iter().flat_map(|group| &group.folded).flat_map(|(_, _, fields)| fields);
        let mut all = self.groups.iter().flat_map(|group| &group.fields).chain(folded);
        let field = all.find(|field| field.name == name)?;
        // Of boxes the first can be gone to.
        Some(match field.kind {
            FieldKind::Boxes { .. } => format!("{name}-1"),
            _ => name.to_owned(),
        })
    }
}

impl FormField {
    /// A field that nothing is wrong with.
    pub(crate) fn new(name: &str, label: &str, hint: &str, kind: FieldKind) -> Self {
        Self {
            name: name.to_owned(),
            label: text::html(label).into_owned(),
            hint: hint.to_owned(),
            error: String::new(),
            kind,
        }
    }

    /// A field, by its name and label, that one of some names is chosen for, or what is usual.
    pub(crate) fn one_of<'n>(
        (name, label): (&str, &str),
        usual: &str,
        chosen: Option<&str>,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        Self::one_called((name, label), usual, chosen, names.into_iter().map(|one| (one, one.to_owned())))
    }

    /// The same, of names that are called otherwise.
    pub(crate) fn one_called<'n>(
        (name, label): (&str, &str),
        usual: &str,
        chosen: Option<&str>,
        names: impl IntoIterator<Item = (&'n str, String)>,
    ) -> Self {
        let chosen: Vec<String> = chosen.map(str::to_owned).into_iter().collect();
        let usual = FormOption { label: usual.to_owned(), ..FormOption::default() };
        let option = |(one, called): (&str, String)| FormOption::called(one, &called, &chosen);
        let options = [usual].into_iter().chain(names.into_iter().map(option)).collect();
        Self::new(name, label, "", FieldKind::List(options))
    }

    /// What describes it, for those who do not see it.
    pub(crate) fn described_by(&self) -> String {
        let hint = (!self.hint.is_empty()).then(|| format!("{}-hint", self.name));
        let error = (!self.error.is_empty()).then(|| format!("{}-error", self.name));
        hint.into_iter().chain(error).collect::<Vec<_>>().join(" ")
    }
}

/// What a query string has for the fields of a form: names and values, without those that were left empty.
pub(crate) fn filled_in(query: &str) -> impl Iterator<Item = (Cow<'_, str>, String)> {
    let pairs = form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| !value.is_empty());
    pairs.map(|(name, value)| (name, value.into_owned()))
}

impl FormOption {
    /// An option whose value is its label, as that is shown.
    pub(crate) fn plain(value: &str, chosen: &[String]) -> Self {
        Self::called(value, value, chosen)
    }

    /// The same, with another label.
    fn called(value: &str, label: &str, chosen: &[String]) -> Self {
        let is_chosen = chosen.iter().any(|one| one == value);
        Self { is_chosen, ..Self::new(&text::html(value), label, "", &[]) }
    }

    /// An option; it is chosen where its value is among those that are.
    pub(crate) fn new(value: &str, label: &str, hint: &str, chosen: &[String]) -> Self {
        Self {
            value: value.to_owned(),
            label: text::html(label).into_owned(),
            hint: hint.to_owned(),
            is_chosen: chosen.iter().any(|one| one == value),
        }
    }
}

impl FormButton {
    /// The button that does what the form is for.
    pub(crate) fn main(label: &'static str) -> Self {
        Self { label, sends: ("", ""), is_main: true }
    }

    /// Another one.
    pub(crate) fn other(label: &'static str, name: &'static str, value: &'static str) -> Self {
        Self { label, sends: (name, value), is_main: false }
    }
}
