//! What a user may choose beside the files and the profile: one list, by which choices are written in manifests, graphs
//! and recorded commands, shown in JSON, titles and pages, refused where nothing looks at them, and read back.

use serde_json::Value;

use crate::base::error::{Error, Result};
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, qassay};
use crate::profiles::Profile;
use crate::profiles::link_kind::LinkKind;
use crate::profiles::loaders::{Loader, Loading, Part};
use crate::profiles::same_as::Mode;

/// The choices of a user. They decide numbers, so they are in the manifest of an evaluation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    /// The language of the questions.
    pub language: Option<String>,
    /// How GERBIL's profiles find the equals of a resource; none: `closure` where there are links, else `static`.
    pub same_as: Option<Mode>,
    /// The experiment types; none: all that the profile scores.
    pub experiments: Option<Vec<String>>,
    /// How the gold file is loaded; none: as the profile does by itself.
    pub loader: Option<Loader>,
    /// The part of the gold file; none: all of it.
    pub part: Option<Part>,
    /// The ranks at which measures such as accuracy at N look, in their order; none: those of the profile.
    pub cutoffs: Vec<u64>,
    /// The kinds of links that are followed beside `owl:sameAs`, in their order.
    pub link_kinds: Vec<LinkKind>,
}

impl Choices {
    /// How a profile finds the equals of a resource; nothing where it always does it its own way.
    pub fn same_as(&self, profile: &Profile, has_links: bool) -> Option<Mode> {
        profile.era?;
        Some(self.same_as.unwrap_or(if has_links { Mode::Closure } else { Mode::Static }))
    }

    /// How the gold file is loaded for a profile.
    pub fn loading(&self, profile: &Profile) -> Loading<'_> {
        let loader = self.loader.unwrap_or(profile.loader);
        Loading { loader, part: self.part, language: self.language.as_deref() }
    }

    /// Whether the user wants an experiment type.
    pub fn wants(&self, experiment: &str) -> bool {
        self.experiments.as_ref().is_none_or(|wanted| wanted.iter().any(|name| name == experiment))
    }

    /// The choices that were written down: `values` gives those of each, as they were stated.
    pub fn read<'v>(values: impl Fn(&Choice) -> Vec<&'v str>) -> Self {
        let mut choices = Self::default();
        for choice in &CHOICES {
            (choice.set)(&mut choices, &values(choice));
        }
        choices
    }
}

/// How a value is written in graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As a text.
    Text,
    /// As an integer.
    Integer,
    /// As a concept whose name begins so.
    Concept(&'static str),
}

/// How many values a choice has, and how several are written in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// One at most.
    One,
    /// Any number, one after the other, with commas between them.
    Joined,
    /// Any number, each in a line or an option of its own.
    Each,
}

/// One choice, and all that is known of it.
#[derive(Debug)]
pub struct Choice {
    /// The option of the command line.
    pub option: &'static str,
    /// The word in manifests.
    pub manifest: &'static str,
    /// The field in JSON.
    pub field: &'static str,
    /// The column of `queries/report/executions.rq`.
    pub column: &'static str,
    /// The property in graphs.
    pub property: &'static str,
    /// How its values are written in graphs.
    pub form: Form,
    /// How many values it has.
    pub extent: Extent,
    /// What people call it, in titles and on pages.
    pub heading: &'static str,
    /// What holds in a profile where nothing is stated, if that has a name.
    pub usual: fn(&Profile) -> Option<&'static str>,
    /// Whether a profile looks at it, where there are links or none.
    looked_at: fn(&Profile, bool) -> bool,
    /// What is said where no profile does: message, what is allowed, hint.
    refusal: [&'static str; 3],
    given: fn(&Choices) -> Vec<String>,
    stated: fn(&Choices, &Profile, bool) -> Option<Vec<String>>,
    set: fn(&mut Choices, &[&str]),
}

/// What most choices have in common.
const PLAIN: Choice = Choice {
    option: "",
    manifest: "",
    field: "",
    column: "",
    property: "",
    form: Form::Text,
    extent: Extent::One,
    heading: "",
    usual: |_| None,
    looked_at: |_, _| true,
    refusal: [""; 3],
    given: |_| Vec::new(),
    stated: |_, _, _| None,
    set: |_, _| {},
};

/// All choices, in the order in which they are written and shown.
pub static CHOICES: [Choice; 7] = [
    Choice {
        option: "language",
        manifest: "language",
        field: "language",
        column: "language",
        property: qassay::EVALUATION_LANGUAGE,
        heading: "language",
        given: |choices| choices.language.iter().cloned().collect(),
        set: |choices, values| choices.language = values.first().map(|tag| (*tag).to_owned()),
        ..PLAIN
    },
    Choice {
        option: "link-kind",
        manifest: "link-kind",
        field: "linkKinds",
        column: "linkKinds",
        property: qassay::LINK_KIND,
        form: Form::Concept("link-"),
        extent: Extent::Each,
        heading: "link kinds",
        looked_at: |profile, has_links| has_links && profile.closes_links(),
        refusal: [
            "`⌥link-kind` is for the links that a profile closes to clusters",
            "⌥links, with ⌥profile qassay",
            "",
        ],
        given: |choices| choices.link_kinds.iter().map(|kind| kind.name().to_owned()).collect(),
        set: |choices, values| {
            choices.link_kinds = values.iter().filter_map(|name| LinkKind::find(name)).collect();
            choices.link_kinds.sort_unstable();
        },
        ..PLAIN
    },
    Choice {
        option: "same-as",
        manifest: "same-as",
        field: "sameAs",
        column: "sameAs",
        property: qassay::SAME_AS_MODE,
        form: Form::Concept("sameas-"),
        heading: "sameAs",
        looked_at: |profile, _| profile.era.is_some(),
        refusal: [
            "`⌥same-as` is for the profiles that follow GERBIL",
            "⌥profile gerbil, gerbil-2023 or gerbil-2019",
            "the other profiles take `owl:sameAs` as an equivalence: `⌥links FILE`",
        ],
        given: |choices| choices.same_as.iter().map(|mode| mode.name().to_owned()).collect(),
        stated: |choices, profile, has_links| {
            Some(choices.same_as(profile, has_links).iter().map(|mode| mode.name().to_owned()).collect())
        },
        set: |choices, values| choices.same_as = values.first().and_then(|name| Mode::find(name)),
        ..PLAIN
    },
    Choice {
        option: "experiment",
        manifest: "experiments",
        field: "experimentTypes",
        column: "experiments",
        property: qassay::RESTRICTED_TO,
        form: Form::Concept(""),
        extent: Extent::Joined,
        heading: "experiment types",
        given: |choices| choices.experiments.clone().unwrap_or_default(),
        // Only where they are fewer than the profile scores.
        stated: |choices, profile, _| {
            let names = profile.experiments.iter().map(|rules| rules.name.clone());
            let wanted: Vec<String> = names.filter(|name| choices.wants(name)).collect();
            Some(if wanted.len() < profile.experiments.len() { wanted } else { Vec::new() })
        },
        set: |choices, values| {
            let names = values.iter().map(|name| (*name).to_owned()).collect();
            choices.experiments = Some(names).filter(|names: &Vec<String>| !names.is_empty());
        },
        ..PLAIN
    },
    Choice {
        option: "loader",
        manifest: "loader",
        field: "loader",
        column: "loader",
        property: qassay::LOADER,
        form: Form::Concept("loader-"),
        heading: "loader",
        usual: |profile| Some(profile.loader.name()),
        given: |choices| choices.loader.iter().map(|loader| loader.name().to_owned()).collect(),
        stated: |choices, profile, _| {
            let other = choices.loader.filter(|loader| *loader != profile.loader);
            Some(other.iter().map(|loader| loader.name().to_owned()).collect())
        },
        set: |choices, values| choices.loader = values.first().and_then(|name| Loader::find(name)),
        ..PLAIN
    },
    Choice {
        option: "cutoffs",
        manifest: "cutoffs",
        field: "cutoffs",
        column: "cutoffs",
        property: qassay::CUTOFF,
        form: Form::Integer,
        extent: Extent::Joined,
        heading: "cutoffs",
        looked_at: |profile, _| profile.looks_at_ranks(),
        refusal: [
            "`⌥cutoffs` is for measures that look at a rank, such as accuracy at N",
            "a profile that has some: nlpcc-kbqa, nlpcc-ranking or trec",
            "",
        ],
        given: |choices| choices.cutoffs.iter().map(u64::to_string).collect(),
        set: |choices, values| {
            choices.cutoffs = values.iter().filter_map(|cutoff| cutoff.parse().ok()).collect();
            choices.cutoffs.sort_unstable();
        },
        ..PLAIN
    },
    Choice {
        option: "part",
        manifest: "part",
        field: "part",
        column: "part",
        property: qassay::QUESTION_PART,
        form: Form::Concept("part-"),
        heading: "part",
        given: |choices| choices.part.iter().map(|part| part.name().to_owned()).collect(),
        set: |choices, values| choices.part = values.first().and_then(|name| Part::find(name)),
        ..PLAIN
    },
];

impl Choice {
    /// The values as the user gave them.
    pub fn given(&self, choices: &Choices) -> Vec<String> {
        (self.given)(choices)
    }

    /// The values that hold in a profile and are worth stating: what re-execution needs to know besides the files.
    pub fn stated(&self, choices: &Choices, profile: &Profile, has_links: bool) -> Vec<String> {
        (self.stated)(choices, profile, has_links).unwrap_or_else(|| {
            if (self.looked_at)(profile, has_links) { self.given(choices) } else { Vec::new() }
        })
    }

    /// An error where the user chose something that no profile looks at.
    pub fn refuse_unused<'p>(
        &self,
        choices: &Choices,
        mut profiles: impl Iterator<Item = &'p Profile>,
        has_links: bool,
    ) -> Result<()> {
        if self.given(choices).is_empty() || profiles.any(|profile| (self.looked_at)(profile, has_links)) {
            return Ok(());
        }
        let [message, allowed, hint] = self.refusal;
        let error = Error::input(message).allowed(allowed);
        Err(if hint.is_empty() { error } else { error.hint(hint) })
    }

    /// The values as lines of a manifest or options of a command are written: each in one, or all together.
    pub fn written(&self, values: Vec<String>) -> Vec<String> {
        match self.extent {
            Extent::Each => values,
            _ if values.is_empty() => values,
            Extent::One | Extent::Joined => vec![values.join(",")],
        }
    }

    /// States the values of the subject of some lines.
    pub fn write(&self, lines: &mut Lines, values: &[String]) {
        for value in values {
            match self.form {
                Form::Text => lines.text(self.property, value),
                Form::Integer => lines.integer(self.property, value.parse().unwrap_or_default()),
                Form::Concept(prefix) => lines.iri(self.property, &code::iri(&format!("{prefix}{value}"))),
            };
        }
    }

    /// The values in JSON: one of them, else what is usual in the profile or `null`; or a list.
    pub fn json(&self, values: &[String], usual: Option<&str>) -> Value {
        let value = |value: &String| match self.form {
            Form::Integer => value.parse::<u64>().map_or(Value::Null, Value::from),
            Form::Text | Form::Concept(_) => Value::from(value.as_str()),
        };
        match self.extent {
            Extent::One => values.first().map_or_else(|| usual.into(), value),
            Extent::Joined | Extent::Each => values.iter().map(value).collect(),
        }
    }

    /// What a title says of the values, if there are any.
    pub fn words(&self, values: &[String]) -> Option<String> {
        let values = (!values.is_empty()).then(|| values.join(", "))?;
        Some(if self.option == "part" {
            format!("{values} {}", self.heading)
        } else {
            format!("{} {values}", self.heading)
        })
    }
}
