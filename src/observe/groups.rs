//! Groups of questions: which question belongs to which group of a profile.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::graph::answer::answer_type;
use crate::graph::term::language_tag;
use crate::graph::vocab::code;
use crate::ontology::GROUPS;
use crate::profile::Profile;
use crate::matching::Sides;

/// The group of all questions.
pub const ALL: &str = "group-all";
/// The group of the questions that the submission has.
pub const PROCESSED: &str = "group-processed";

/// The positions of the questions of each group, by the name of the group.
pub type Membership = BTreeMap<String, Vec<usize>>;

/// The positions of the questions of each group of a profile. Groups without questions are left out.
pub fn membership(profile: &Profile, sides: &Sides<'_>) -> Membership {
    let questions = &sides.gold.questions;
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    groups.insert(ALL.to_owned(), (0..questions.len()).collect());
    for (position, question) in questions.iter().enumerate() {
        let mut names = BTreeSet::new();
        if profile.groups.contains(PROCESSED) && sides.alignment.answers[position].is_some() {
            names.insert(PROCESSED.to_owned());
        }
        if profile.groups.contains("groups-answertype") {
            names.insert(format!("group-answertype-{}", answer_type(question).unwrap_or("other")));
        }
        if profile.groups.contains("groups-language") {
            names.extend(question.texts.iter().map(|text| language_group(text.language.as_deref())));
            names.extend(question.language.as_deref().map(|language| language_group(Some(language))));
        }
        for name in names {
            groups.entry(name).or_default().push(position);
        }
    }
    groups
}

/// The group of a language; texts without a known language share one group.
fn language_group(language: Option<&str>) -> String {
    let tag = language.and_then(language_tag).unwrap_or_default();
    let name = format!("group-language-{tag}");
    if known_languages().contains(&name) { name } else { "group-language-other".to_owned() }
}

fn known_languages() -> &'static BTreeSet<String> {
    static KNOWN: OnceLock<BTreeSet<String>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let facts = GROUPS.facts();
        facts
            .subjects()
            .filter_map(|subject| subject.strip_prefix(code::NAMESPACE))
            .map(str::to_owned)
            .collect()
    })
}
