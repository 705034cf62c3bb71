//! Both sides of a question as published graphs tell them: what an explanation says beside results.
//!
//! No graph tells the items that have no partner, where they are made in a way that only the computation knows: those of
//! GERBIL, which depend on the order and spelling of the file; rows that meet in a part of their cells, where one is there
//! more often than a graph can say, or a boolean stands for one; classes of answers by the types of resources; answers that assessors know; and those of a question that a
//! loader changed. [`Explanation::unmatched`] is none there, and so is
//! [`Explanation::peculiarities`] where the profile follows GERBIL.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use oxigraph::model::{NamedNode, Term};

use crate::base::error::{Error, Result};
use crate::base::iri;
use crate::base::vocab::qassay;
use crate::profiles::Profile;
use crate::profiles::ontology::Facts;
use crate::profiles::rules::{ExperimentRules, Reading};
use crate::record::results::explanation::{Explained, Explanation};
use crate::record::results::kept::KeptGraphs;
use crate::record::results::opened::OpenedGraphs;
use crate::record::results::tied;
use crate::record::results::tied::ExplainedTies;
use crate::record::results::told::{PART, Told, repaired, unreadable};
use crate::record::results::{MatchedPair, ReadLabel, Results, SetCounts};
use crate::references::ReferenceKind;
use crate::scoring::gold::takes_ties;
use crate::scoring::items::given::says_nothing;
use crate::scoring::items::origin::ItemOrigin;
use crate::scoring::items::texts::of_answers;
use crate::scoring::rows::answer_row::{AnswerRow, rows};
use crate::scoring::skip::Party;
use crate::sources::document::{
    AnswerSet, Answers, Cell, CellKind, Document, Query, QueryKind, Question, Row,
};
use crate::sources::input::answer::label_of;
use crate::sources::input::pattern::QueryNodes;
use crate::sources::input::term;
use crate::sources::input::term::of_boolean;
use crate::sparql::dataset::{Dataset, Solution};
use crate::sparql::named_query::NamedQuery;

/// The graphs behind an evaluation, for the explanation of a question.
pub struct PublishedSides<'a> {
    opened: Arc<OpenedGraphs>,
    kept: &'a KeptGraphs<'a>,
    results: &'a Results,
    profile: Arc<Profile>,
    dataset: Box<dyn Dataset>,
}

impl<'a> PublishedSides<'a> {
    /// Opens what the graphs of matches, dataset, submission, refreshed and executed answers say of a question; `results`
    /// have it ([`Results::read_question`]).
    ///
    /// # Errors
    /// Where a graph is not here or cannot be read.
    pub fn open(kept: &'a KeptGraphs<'a>, results: &'a Results, question: &str) -> Result<Self> {
        Self::of(kept, results, question, Arc::new(OpenedGraphs::open(kept, results)?))
    }

    /// The same in graphs that were opened before, for questions one after the other.
    ///
    /// # Errors
    /// Where what is said of the question cannot be read.
    pub fn of(
        kept: &'a KeptGraphs<'a>,
        results: &'a Results,
        question: &str,
        opened: Arc<OpenedGraphs>,
    ) -> Result<Self> {
        let dataset = Box::new(opened.question(results, question)?);
        let profile = Arc::clone(&opened.profile);
        Ok(Self { opened, kept, results, profile, dataset })
    }

    /// The explanation of a question in an experiment type.
    ///
    /// # Errors
    /// Where there is no such question or experiment type, or a graph does not say what it must.
    pub fn explanation(&self, experiment: &str, question: &str) -> Result<Explanation> {
        let explained = self.explained(experiment, question)?;
        explained
            .explanation(self.told(&explained)?, |kinds| self.opened.plan(self.kept, self.results, kinds))
    }

    pub(super) fn explained(&self, experiment: &str, question: &str) -> Result<Explained<'_>> {
        Explained::find(self.results, Arc::clone(&self.profile), experiment, question)
    }

    /// What the graphs tell of a question in an experiment type beside results.
    pub(super) fn told(&self, explained: &Explained<'_>) -> Result<Told> {
        let rules =
            explained.rules().ok_or_else(|| Error::check("the profile has no such experiment type"))?;
        let sides = self.sides(explained)?;
        let queries = sides.each_ref().map(|side| side.as_ref().map_or_else(Vec::new, AnswerNodes::queries));
        let asked =
            [0, 1].map(|at| sides[at].as_ref().map_or_else(Vec::new, |side| self.asked(side, &queries[at])));
        let mut texts = BTreeMap::new();
        if explained.is_of_candidates() {
            texts.extend(self.candidates(&iri::curated_gold(&explained.node()))?);
        }
        if rules.reading == Reading::Patterns {
            texts.extend(queries.iter().flatten().flat_map(|query| self.patterns(query)));
        }
        let shown = |side: &AnswerNodes| side.shown(rules).to_owned();
        let nodes = (sides[0].as_ref().map(shown).unwrap_or_default(), sides[1].as_ref().map(shown));
        let side_labels = |side: &Option<AnswerNodes>| {
            side.as_ref().map_or_else(|| Ok(Vec::new()), |side| self.labels(explained, side))
        };
        let error = sides[1].as_ref().and_then(|side| side.text(&side.answered, qassay::ERROR_MESSAGE));
        let observation = explained.question().observed.as_ref();
        let ties = self.ties(explained, rules, sides[0].as_ref())?;
        Ok(Told {
            reading: rules.reading,
            pairs: observation.map_or_else(|_| Vec::new(), |observation| observation.matches.clone()),
            labels: [side_labels(&sides[0])?, side_labels(&sides[1])?],
            unmatched: self.unmatched(explained, rules, (&sides, &ties))?,
            ties,
            peculiarities: self.profile.era.is_none().then(Vec::new),
            asked,
            queries,
            texts,
            error,
            nodes,
        })
    }

    /// The rows of a query with an IRI in its parameter.
    fn rows(&self, query: &NamedQuery, parameter: &str, iri: &str) -> Result<Vec<Solution>> {
        self.dataset.select(&query.with(parameter, &[NamedNode::new_unchecked(iri).into()])?)
    }

    /// Both sides; none for a system that did not answer.
    fn sides(&self, explained: &Explained<'_>) -> Result<[Option<AnswerNodes>; 2]> {
        let question = explained.node();
        let curated = iri::curated_gold(&question);
        let refreshed = self.results.refreshed.as_ref();
        let refreshed = refreshed.filter(|gold| gold.questions[explained.position].status.has_answers());
        let answered = refreshed.map(|gold| iri::refreshed_gold(&question, gold.name()));
        let answered = answered.unwrap_or_else(|| curated.clone());
        let gold = self.side(question.clone(), curated, answered)?;
        let submitted = format!("{}/a/", self.results.submission.iri);
        let (mut own, mut executed) = (None, None);
        for node in
            self.rows(&self.opened.queries.answers, "question", &question)?.into_iter().flatten().flatten()
        {
            let node = term::text(&node).into_owned();
            let answer = if node.starts_with(&submitted) { &mut own } else { &mut executed };
            *answer = Some(node);
        }
        let system = own.map(|own| self.side(own.clone(), own.clone(), executed.unwrap_or(own)));
        Ok([Some(gold), system.transpose()?])
    }

    fn side(&self, stated: String, asked: String, answered: String) -> Result<AnswerNodes> {
        let nodes = [&stated, &asked, &answered].map(|iri| NamedNode::new_unchecked(iri).into());
        let mut rows = self.dataset.select(&self.opened.queries.said.with("node", &nodes)?)?;
        // The order of rows means nothing.
        rows.sort_by_cached_key(|row| row.iter().flatten().map(Term::to_string).collect::<Vec<_>>());
        rows.dedup();
        let mut facts = Facts::default();
        for row in rows {
            if let [Some(Term::NamedNode(node)), Some(Term::NamedNode(property)), Some(object)] = &row[..] {
                facts.say(node.clone(), property.clone(), object.clone());
            }
        }
        Ok(AnswerNodes { stated, asked, answered, facts })
    }

    /// What is odd about the query that counts among some. Of a repair the graph tells the name; the query tells the rest.
    fn asked(&self, side: &AnswerNodes, queries: &[Query]) -> Vec<String> {
        if let Some(problem) = side.text(&side.asked, qassay::QUERY_PROBLEM) {
            return vec![unreadable(&problem)];
        }
        let stated: BTreeSet<&str> = side.facts.codes(&side.asked, qassay::QUERY_REPAIR).collect();
        if stated.is_empty() || side.text(&side.asked, qassay::QUERY_FORM).is_none() {
            return Vec::new();
        }
        let is_told = |read: &QueryNodes| {
            let names = read.repairs().iter().map(|repair| format!("repair-{}", repair.name()));
            names.collect::<BTreeSet<_>>().iter().map(String::as_str).eq(stated.iter().copied())
        };
        let read = queries.iter().map(|query| self.nodes(query)).find(is_told);
        read.map_or_else(Vec::new, |read| read.repairs().iter().map(repaired).collect())
    }

    /// A query as it is read.
    fn nodes(&self, query: &Query) -> QueryNodes {
        let question = Question { queries: vec![query.clone()], ..Question::default() };
        let mut document = Document { questions: vec![question], ..Document::default() };
        QueryNodes::of_all(&self.kept.mint, &mut document).swap_remove(0)
    }

    /// The triple patterns of a query by their nodes.
    fn patterns(&self, query: &Query) -> Vec<(String, String)> {
        let nodes = self.nodes(query);
        nodes.patterns().map(|(node, pattern)| (node.iri.clone(), pattern.text())).collect()
    }

    /// The texts of the candidates of a gold answer by their nodes, with a stroke between their parts.
    fn candidates(&self, gold: &str) -> Result<BTreeMap<String, String>> {
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for row in self.rows(&self.opened.queries.candidates, "answer", gold)? {
            let [Some(candidate), Some(text)] = &row[..] else { continue };
            let (candidate, text) = (term::text(candidate).into_owned(), term::text(text));
            match texts.get_mut(&candidate) {
                Some(known) => known.extend([PART, text.trim()]),
                None => drop(texts.insert(candidate, text.trim().to_owned())),
            }
        }
        Ok(texts)
    }

    /// The items of both sides that are in no pair; nothing where no graph tells them.
    fn unmatched(
        &self,
        explained: &Explained<'_>,
        rules: &ExperimentRules,
        (sides, ties): (&[Option<AnswerNodes>; 2], &[ExplainedTies]),
    ) -> Result<Option<[Vec<Term>; 2]>> {
        let question = explained.question();
        let Ok(observation) = &question.observed else { return Ok(Some(<[Vec<Term>; 2]>::default())) };
        let is_changed = explained.is_changed();
        let assessed = self.results.references.iter().any(|(kind, _)| *kind == ReferenceKind::Assessments);
        if is_changed || (assessed && rules.reads_assessments()) {
            return Ok(None);
        }
        let partners: [fn(&MatchedPair) -> &str; 2] = [|pair| &pair.gold, |pair| &pair.system];
        let mut both = <[Vec<Term>; 2]>::default();
        for (at, side) in sides.iter().enumerate() {
            let Some(side) = side else { continue };
            let found = if rules.reading.is_of_cells() {
                let SetCounts { tp, fp, missing } = observation.counts;
                self.answer_rows(rules, side, tp + if at == 0 { missing } else { fp })?
            } else {
                self.items(explained, rules, side, at == 0)?
            };
            let Some(mut items) = found else { return Ok(None) };
            // A row may be there several times, of which some have a partner.
            let mut met: BTreeMap<&str, usize> = BTreeMap::new();
            observation.matches.iter().map(partners[at]).for_each(|item| *met.entry(item).or_default() += 1);
            items.retain(|item| match met.get_mut(item.to_string().as_str()) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            });
            if at == 0 && !ties.is_empty() {
                items.retain(|item| side.counts(item, ties));
            }
            both[at] = items;
        }
        Ok(Some(both))
    }

    /// The rows of the gold answer that tie; none where the question has no scores.
    fn ties(
        &self,
        explained: &Explained<'_>,
        rules: &ExperimentRules,
        gold: Option<&AnswerNodes>,
    ) -> Result<Vec<ExplainedTies>> {
        let (Ok(observation), Some(gold)) = (&explained.question().observed, gold) else {
            return Ok(Vec::new());
        };
        if !takes_ties(rules) {
            return Ok(Vec::new());
        }
        let rows = self.rows(&self.opened.queries.ties, "answer", &gold.answered)?;
        Ok(tied::read(&rows, &observation.counted_rows))
    }

    /// The items of a side, each once; nothing where no graph tells them.
    fn items(
        &self,
        explained: &Explained<'_>,
        rules: &ExperimentRules,
        side: &AnswerNodes,
        is_gold: bool,
    ) -> Result<Option<Vec<Term>>> {
        let origin = explained.question().origins[usize::from(!is_gold)];
        let (node, property) = match (rules.reading, origin) {
            (Reading::Candidates, _) => return Ok(Some(Vec::new())),
            (Reading::Terms, _) => (&side.answered, qassay::ANSWER_TERM),
            (Reading::Patterns, _) => (&side.asked, qassay::USES_TRIPLE_PATTERN),
            (Reading::Resources, Some(ItemOrigin::Annotated)) => (&side.asked, qassay::ANNOTATED_RESOURCE),
            (Reading::Resources, Some(ItemOrigin::Query)) => (&side.asked, qassay::USES_RESOURCE),
            (Reading::Properties, Some(ItemOrigin::Annotated)) => (&side.asked, qassay::ANNOTATED_PROPERTY),
            (Reading::Properties, Some(ItemOrigin::Query)) => (&side.asked, qassay::USES_PROPERTY),
            (Reading::ItemTypes, Some(ItemOrigin::Stated)) => (&side.stated, qassay::ANSWER_ITEM_TYPE),
            (Reading::ItemTypes, Some(ItemOrigin::Query)) => (&side.asked, qassay::ASKED_ITEM_TYPE),
            (Reading::AnswerType, Some(ItemOrigin::Stated)) => (&side.stated, qassay::ANSWER_TYPE),
            (Reading::AnswerType, Some(_)) => (&side.answered, qassay::INFERRED_TYPE),
            (Reading::Resources | Reading::Properties | Reading::ItemTypes | Reading::AnswerType, None) => {
                return Ok(Some(Vec::new()));
            }
            (Reading::Values | Reading::Rows | Reading::Relevance, _) => {
                let answers = Question { answers: self.answers(side)?, ..Question::default() };
                return Ok(Some(of_answers(&answers, &self.profile, rules.reading, is_gold)));
            }
            _ => return Ok(None),
        };
        let mut items: Vec<Term> = side.facts.all(node, property).cloned().collect();
        if rules.reading == Reading::Terms {
            let labels = self.labels(explained, side)?;
            let labels: HashSet<String> = labels.into_iter().map(|label| label.term).collect();
            items.retain(|item| labels.is_empty() || !labels.contains(&item.to_string()));
        }
        if property == qassay::ANSWER_ITEM_TYPE {
            items.retain(Term::is_named_node);
        }
        if let Some(judging) = &rules.judging {
            items.retain(|item| !says_nothing(judging, item));
        }
        Ok(Some(items))
    }

    /// The rows of a side, as many as were counted. Nothing where the graph does not tell them: how often a row of one plain
    /// term is there, and whether a boolean was taken for a row.
    fn answer_rows(
        &self,
        rules: &ExperimentRules,
        side: &AnswerNodes,
        count: u64,
    ) -> Result<Option<Vec<Term>>> {
        let question = Question { answers: self.answers(side)?, ..Question::default() };
        let has_boolean = question.answers.sets.iter().any(|set| set.boolean.is_some());
        let rows = rows(&question, rules.reading, Party::System);
        let is_told = !has_boolean && rows.len() as u64 == count;
        Ok(is_told.then(|| rows.iter().map(AnswerRow::meant).collect()))
    }

    /// What the graph of matches says of the items of an answer that were read as labels.
    fn labels(&self, explained: &Explained<'_>, side: &AnswerNodes) -> Result<Vec<ReadLabel>> {
        let said = self.rows(&self.opened.queries.said, "node", &explained.observation())?;
        let marked: HashSet<Term> = said
            .into_iter()
            .filter_map(|found| match <[Option<Term>; 3]>::try_from(found) {
                Ok([_, Some(property), item]) if term::text(&property) == qassay::READ_AS_LABEL => item,
                _ => None,
            })
            .collect();
        if marked.is_empty() {
            return Ok(Vec::new());
        }
        let mut rows: BTreeMap<u64, Vec<(Cell, String, bool)>> = BTreeMap::new();
        for found in self.rows(&self.opened.queries.items, "answer", &side.answered)? {
            let [Some(row), _, Some(item), Some(variable), Some(node)] = &found[..] else { continue };
            let kind = if item.is_named_node() { CellKind::Uri } else { CellKind::Literal };
            let cell = Cell { kind, ..cell(&term::text(variable), &term::text(item)) };
            let row = rows.entry(term::text(row).parse().unwrap_or_default()).or_default();
            row.push((cell, item.to_string(), marked.contains(node)));
        }
        let labels = rows.into_values().flat_map(|cells| {
            let row = Row { cells: cells.iter().map(|(cell, ..)| cell.clone()).collect() };
            let labels =
                cells.into_iter().filter(|(.., is_marked)| *is_marked).filter_map(|(cell, term, _)| {
                    let (_, resource) = label_of(&row, &cell)?;
                    Some(ReadLabel { term, column: cell.variable, of: resource.value.clone() })
                });
            labels.collect::<Vec<_>>()
        });
        Ok(labels.collect())
    }

    /// The answers of a node: rows of what the file has written, where a plain term does not say all; else a row a term.
    fn answers(&self, side: &AnswerNodes) -> Result<Answers> {
        let boolean =
            |item: &Term| AnswerSet { boolean: Some(*item == of_boolean(true)), ..AnswerSet::default() };
        let is_boolean = |item: &Term| *item == of_boolean(true) || *item == of_boolean(false);
        let (mut rows, mut known, mut sets) = (BTreeMap::<u64, Row>::new(), BTreeSet::new(), Vec::new());
        for found in self.rows(&self.opened.queries.items, "answer", &side.answered)? {
            let [row, text, Some(item), variable, _] = &found[..] else { continue };
            known.insert(item.to_string());
            let Some(text) = text.as_ref().map(term::text) else {
                sets.push(boolean(item));
                continue;
            };
            let number = row.as_ref().and_then(|row| term::text(row).parse().ok()).unwrap_or_default();
            let variable = variable.as_ref().map(term::text).unwrap_or_default();
            let row = rows.entry(number).or_default();
            row.cells.change(|cells| cells.push(cell(&variable, without_datatype(&text))));
        }
        let mut rows: Vec<Row> = rows.into_values().collect();
        for item in side.facts.all(&side.answered, qassay::ANSWER_TERM) {
            if known.contains(&item.to_string()) {
                continue;
            }
            // A boolean and a cell with one are the same term: it is taken for a boolean.
            if is_boolean(item) {
                sets.push(boolean(item));
            } else {
                rows.push(Row { cells: [cell("", &term::text(item))].into() });
            }
        }
        sets.push(AnswerSet { has_bindings: !rows.is_empty(), rows, ..AnswerSet::default() });
        Ok(Answers { sets, ..Answers::default() })
    }
}

/// One side of a question.
struct AnswerNodes {
    /// The node that has stated types.
    stated: String,
    /// The node that has queries and annotations.
    asked: String,
    /// The node that has the answers.
    answered: String,
    /// What is said of them.
    facts: Facts,
}

impl AnswerNodes {
    fn text(&self, node: &str, property: &str) -> Option<String> {
        self.facts.text(node, property).map(str::to_owned)
    }

    /// The node that an experiment type looks at.
    fn shown(&self, rules: &ExperimentRules) -> &str {
        let reads_answers = rules.reading.is_of_answers()
            || matches!(rules.reading, Reading::AnswerType | Reading::GerbilAnswerType);
        if reads_answers { &self.answered } else { &self.asked }
    }

    /// Whether a term of an answer with ties counts: it is sure, or that of a row that counts.
    fn counts(&self, term: &Term, ties: &[ExplainedTies]) -> bool {
        let mut rows = ties.iter().flat_map(|group| &group.rows).filter(|row| row.is_counted);
        self.facts.all(&self.answered, qassay::SURE_TERM).any(|sure| sure == term)
            || rows.any(|row| row.terms.contains(&term.to_string()))
    }

    fn queries(&self) -> Vec<Query> {
        let kinds = [
            (qassay::SPARQL_QUERY, QueryKind::Sparql),
            (qassay::PSEUDO_QUERY, QueryKind::Pseudo),
            (qassay::SCHEMALESS_QUERY, QueryKind::Schemaless),
        ];
        let of_kind = |(property, kind)| {
            let texts = self.facts.texts(&self.asked, property);
            texts.map(move |text| Query { kind, text: text.to_owned(), language: None })
        };
        kinds.into_iter().flat_map(of_kind).collect()
    }
}

/// A cell of which only the text matters.
fn cell(variable: &str, value: &str) -> Cell {
    Cell {
        variable: variable.to_owned(),
        kind: CellKind::Literal,
        value: value.to_owned(),
        datatype: None,
        language: None,
        ..Cell::default()
    }
}

/// The value of a cell as the file has written it: `01` of `"01"^^<http://www.w3.org/2001/XMLSchema#int>`.
fn without_datatype(written: &str) -> &str {
    let typed = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('>'));
    typed.and_then(|rest| rest.rsplit_once("\"^^<")).map_or(written, |(value, _)| value)
}
