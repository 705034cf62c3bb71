//! What the queries of `queries/group` read of a dataset: the statements of its published graph, and no more.

use std::collections::BTreeMap;

use oxigraph::model::{Literal, Term};

use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::rdf::language::language_tag;
use crate::base::vocab::{code, qassay, rdf, schema, skos};
use crate::profiles::ontology;
use crate::references::question_types::QuestionTypes;
use crate::sources::document::Question;
use crate::sources::input::answer::{answer_type, flag};
use crate::sources::input::{Input, term};
use crate::sparql::features::QueryGraph;
use crate::sparql::index::Index;

/// The statements about all questions of a dataset. The number of a question's term is its position.
///
/// `types` are the types of the questions in place of those of the dataset.
pub(crate) fn index(mint: &Mint, dataset: &Input, types: Option<&QuestionTypes>) -> Index {
    let mut index = Index::new();
    let nodes: Vec<String> = dataset
        .document
        .questions
        .iter()
        .map(|question| iri::question(&dataset.iri, &question.key))
        .collect();
    for node in &nodes {
        index.intern_iri(node.as_str());
    }
    let graph = mint.graph_of(&dataset.iri);
    let mut facts = FactIndex::new(index, &graph);
    facts.known_groups(&mint.ontology_graph());
    for (((question, query), node), number) in
        dataset.document.questions.iter().zip(&dataset.queries).zip(&nodes).zip(0u32..)
    {
        facts.question(number, question);
        if let Some(written) = question_type(types, question) {
            facts.add(facts.question_type, number, Literal::new_simple_literal(written));
        }
        if let Some(graph) = query.graph() {
            facts.gold(number, iri::curated_gold(node), graph);
        }
    }
    facts.index.freeze();
    facts.index
}

/// The type of a question: that of the file of types where there is one, else that of the dataset.
pub(crate) fn question_type(types: Option<&QuestionTypes>, question: &Question) -> Option<String> {
    match types {
        Some(types) => types.of(&question.key).map(str::to_owned),
        None => question.question_type(),
    }
}

struct FactIndex {
    index: Index,
    /// The numbers of concepts, by the two parts of their names.
    concepts: BTreeMap<(&'static str, &'static str), u32>,
    question: u32,
    flags: [(&'static str, usize); 3],
    is_a: usize,
    text: usize,
    in_language: usize,
    answer_type: usize,
    question_type: usize,
    for_question: usize,
    form: usize,
    feature: usize,
    pattern: usize,
}

impl FactIndex {
    fn new(mut index: Index, graph: &str) -> Self {
        let question = index.intern_iri(qassay::QUESTION);
        let mut table = |predicate| index.table(graph, predicate);
        let is_a = table(rdf::TYPE);
        let (text, in_language) = (table(schema::TEXT), table(schema::IN_LANGUAGE));
        let (answer_type, for_question) = (table(qassay::ANSWER_TYPE), table(qassay::FOR_QUESTION));
        let question_type = table(qassay::QUESTION_TYPE);
        let (form, feature) = (table(qassay::QUERY_FORM), table(qassay::QUERY_FEATURE));
        let pattern = table(qassay::USES_TRIPLE_PATTERN);
        let flags = [qassay::AGGREGATION, qassay::HYBRID, qassay::ONLYDBO].map(|name| (name, table(name)));
        let concepts = BTreeMap::new();
        Self {
            index,
            concepts,
            question,
            flags,
            is_a,
            text,
            in_language,
            answer_type,
            question_type,
            for_question,
            form,
            feature,
            pattern,
        }
    }

    /// The groups that the ontology knows.
    fn known_groups(&mut self, graph: &str) {
        let known = ontology::groups();
        let in_scheme = self.index.table(graph, skos::IN_SCHEME);
        for group in known.subjects() {
            if let Some(scheme) = known.text(group, skos::IN_SCHEME) {
                let (group, scheme) = (self.index.intern_iri(group), self.index.intern_iri(scheme));
                self.index.add(in_scheme, group, scheme);
            }
        }
    }

    fn question(&mut self, number: u32, question: &Question) {
        self.index.add(self.is_a, number, self.question);
        for text in &question.texts {
            let text = match text.language.as_deref().and_then(language_tag) {
                Some(tag) => Literal::new_language_tagged_literal_unchecked(text.text.as_str(), tag),
                None => Literal::new_simple_literal(text.text.as_str()),
            };
            self.add(self.text, number, text);
        }
        if let Some(language) = question.language.as_deref().and_then(language_tag) {
            self.add(self.in_language, number, Literal::new_simple_literal(language));
        }
        if let Some(name) = answer_type(question) {
            let concept = self.concept("type-", name);
            self.index.add(self.answer_type, number, concept);
        }
        for (property, value) in question.flags.iter().filter_map(|(name, value)| flag(name, value)) {
            let table = self.flags.iter().find(|(name, _)| *name == property);
            if let Some(&(_, table)) = table {
                self.add(table, number, term::of_boolean(value));
            }
        }
    }

    fn gold(&mut self, question: u32, gold: String, query: &QueryGraph) {
        let gold = self.index.intern_iri(gold);
        self.index.add(self.for_question, gold, question);
        let form = self.concept("form-", query.form.name());
        self.index.add(self.form, gold, form);
        for feature in &query.features {
            let feature = self.concept("feature-", feature.name());
            self.index.add(self.feature, gold, feature);
        }
        // Groups count the patterns of a query: which ones they are does not matter here, so they are numbers.
        for number in 1..=query.patterns.len() {
            self.add(self.pattern, gold, Literal::from(number as u64));
        }
    }

    fn concept(&mut self, kind: &'static str, name: &'static str) -> u32 {
        let index = &mut self.index;
        let number = || index.intern_iri(code::iri(&format!("{kind}{name}")));
        *self.concepts.entry((kind, name)).or_insert_with(number)
    }

    fn add(&mut self, table: usize, subject: u32, object: impl Into<Term>) {
        let object = self.index.intern(object);
        self.index.add(table, subject, object);
    }
}
