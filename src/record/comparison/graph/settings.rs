//! The settings of a comparison in its graph: written, and read again.

use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, qassay, xsd};
use crate::record::comparison::settings::ComparisonSettings;

/// What a setting is stated as.
enum StatedAs {
    /// A concept whose local name begins so.
    Code(&'static str),
    /// A literal of this datatype.
    Literal(&'static str),
}

/// Each setting by the name that [`ComparisonSettings::stated`] has for it, and the property that states it.
const PROPERTIES: [(&str, &str, StatedAs); 10] = [
    ("measure", qassay::COMPARED_METRIC, StatedAs::Code("")),
    ("experiment", qassay::COMPARED_TYPE, StatedAs::Code("")),
    ("test", qassay::CHOSEN_TEST, StatedAs::Code("test-")),
    ("alpha", qassay::ALPHA, StatedAs::Literal(xsd::DECIMAL)),
    ("seed", qassay::SEED, StatedAs::Literal(xsd::STRING)),
    ("baseline", qassay::BASELINE_SYSTEM, StatedAs::Literal(xsd::STRING)),
    ("cluster", qassay::CLUSTER_UNIT, StatedAs::Code("cluster-")),
    ("questions", qassay::COMPARED_QUESTIONS, StatedAs::Code("questions-")),
    ("groups", qassay::COMPARES_GROUPS, StatedAs::Literal(xsd::BOOLEAN)),
    ("alias", qassay::COMPARED_ALIAS, StatedAs::Literal(xsd::STRING)),
];

/// States the settings of what the lines are about.
pub(super) fn state(lines: &mut Lines, settings: &ComparisonSettings) {
    for (name, value) in settings.stated() {
        let Some((_, property, stated_as)) = PROPERTIES.iter().find(|(known, ..)| *known == name) else {
            continue;
        };
        match stated_as {
            StatedAs::Code(beginning) => lines.iri(property, &code::iri(&format!("{beginning}{value}"))),
            StatedAs::Literal(datatype) => lines.typed(property, &value, datatype),
        };
    }
}

/// The settings that properties and the texts of their objects state; nothing where one of them cannot be.
pub(super) fn read<'s>(stated: impl Iterator<Item = (&'s str, &'s str)>) -> Option<ComparisonSettings> {
    let mut all = Vec::new();
    for (property, text) in stated {
        let Some((name, _, stated_as)) = PROPERTIES.iter().find(|(_, known, _)| *known == property) else {
            continue;
        };
        let value = match stated_as {
            StatedAs::Code(beginning) => text.strip_prefix(code::NAMESPACE)?.strip_prefix(beginning)?,
            StatedAs::Literal(_) => text,
        };
        all.push(((*name).to_owned(), value.to_owned()));
    }
    ComparisonSettings::of_stated(&all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::comparison::settings::ClusterUnit;

    #[test]
    fn every_setting_has_a_property() {
        let all = ComparisonSettings {
            measures: vec![crate::measures::metric::Metric::named("microF1").unwrap()],
            experiments: vec!["QA".to_owned()],
            baseline: Some("a \"b\"".to_owned()),
            cluster: Some(ClusterUnit::Variant),
            aliases: [("http://e/1".to_owned(), "b".to_owned())].into(),
            ..ComparisonSettings::default()
        };
        let mut names: Vec<&str> = all.stated().into_iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        let mut known = PROPERTIES.map(|(name, ..)| name);
        known.sort_unstable();
        assert_eq!(names, known);
        let stated = [
            (qassay::COMPARED_METRIC, "https://w3id.org/qassay/code#microF1"),
            (qassay::CHOSEN_TEST, "https://w3id.org/qassay/code#test-sign"),
            (qassay::COMPARED_QUESTIONS, "https://w3id.org/qassay/code#questions-answered"),
            (qassay::ALPHA, "0.01"),
            ("http://example.org/other", "x"),
        ];
        let read_again = read(stated.into_iter()).unwrap();
        assert_eq!(
            read_again.stated(),
            [
                ("measure", "microF1"),
                ("test", "sign"),
                ("alpha", "0.01"),
                ("seed", ""),
                ("questions", "answered"),
                ("groups", "false")
            ]
            .map(|(name, value)| (name, value.to_owned()))
        );
        assert_eq!(read([(qassay::CHOSEN_TEST, "sign")].into_iter()), None);
    }
}
