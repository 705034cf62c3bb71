//! Where a page stands: what it may read, and how it links.

use std::collections::BTreeSet;

use oxigraph::model::{NamedNode, Quad, Term};

use crate::base::text::counted;
use crate::base::vocab::{code, dct, rdf, xsd};
use crate::record::archived::profile_name;
use crate::record::results::Results;
use crate::report::table::{Align, Table};
use crate::site::linker::Linker;
use crate::site::page::{PageSheet, SheetCell, SheetHead, SheetRow, WordLine, Words, is_web};
use crate::site::route::{ListPage, PageForm, Route};
use crate::site::view::SiteView;

/// So many rows of a table of a report stand open on a page, beside what it is about.
const UNFOLDED: usize = 30;

/// So many of those who state a licence are told.
const LICENSORS_TOLD: usize = 3;

/// A page while it is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageContext<'s> {
    pub(crate) view: &'s SiteView<'s>,
    pub(crate) linker: &'s Linker,
    pub(crate) route: &'s Route,
}

impl PageContext<'_> {
    /// The address of another page.
    pub(crate) fn href(&self, to: &Route) -> Option<String> {
        self.linker.href(self.route, to, PageForm::Html)
    }

    /// Words with a link to a page, if there is one.
    pub(crate) fn link(&self, words: Words, to: &Route) -> Words {
        words.to(self.href(to))
    }

    /// Words with a link to the page of an IRI, if there is one.
    pub(crate) fn link_to(&self, words: Words, iri: &str) -> Words {
        words.to(self.linker.href_of(self.route, iri))
    }

    /// Words about something that has an IRI: linked where this site, or the web, has a page of it.
    pub(crate) fn anywhere(&self, words: Words, iri: &str) -> Words {
        let is_ours = self.linker.path(iri).is_some();
        let outside = || Some(iri.to_owned()).filter(|iri| !is_ours && is_web(iri));
        words.to(self.linker.href_of(self.route, iri).or_else(outside))
    }

    /// A concept of a code list, as code.
    pub(crate) fn concept(&self, name: &str, shown: &str) -> Words {
        self.link_to(Words::code(shown), &code::iri(name))
    }

    /// What an IRI is called, with a link.
    pub(crate) fn named(&self, iri: &str) -> Words {
        let words = self.view.title(iri).map_or_else(|| Words::iri(iri), |title| Words::foreign(&title));
        self.anywhere(words, iri)
    }

    /// What the dataset of an evaluation is called.
    pub(crate) fn dataset_of<'r>(&'r self, results: &'r Results) -> &'r str {
        self.view.dataset_name(&results.dataset.iri).unwrap_or(&results.dataset.name)
    }

    /// What a version of a dataset is called: by the catalogue, else by its record. Of a version that the catalogue does not know, the
    /// dataset may be called so by anybody.
    pub(crate) fn version_name(&self, version: &str) -> String {
        let known = self.view.dataset_name(version).or_else(|| self.view.records().text(version, dct::TITLE));
        known.map(str::to_owned).or_else(|| self.view.title(version)).unwrap_or_default()
    }

    /// What the dataset version of an evaluation is called; nothing where its graphs do not tell.
    pub(crate) fn dataset_title(&self, evaluation: &str) -> Option<String> {
        self.view.title(&self.view.summary(evaluation)?.dataset)
    }

    /// What an evaluation is called, with a link; the IRI where it is not here.
    pub(crate) fn evaluation(&self, iri: &str) -> WordLine {
        let Some(one) = self.view.archived.evaluations.iter().find(|one| one.iri == iri) else {
            return vec![self.anywhere(Words::iri(iri), iri)];
        };
        let on = self.dataset_title(iri).map(|name| format!(" on {name}")).unwrap_or_default();
        vec![
            self.link_to(Words::foreign(&one.system), iri),
            Words::foreign(&format!("{on}, profile {}", profile_name(&one.profile))),
        ]
    }

    /// The licences of an input, first those of its own record, then each with those who state it.
    pub(crate) fn licences(&self, input: &str) -> Vec<WordLine> {
        // Each publication says it again.
        let licences: BTreeSet<&str> = self.view.records().texts(input, dct::LICENSE).collect();
        let mut all: Vec<_> =
            licences.into_iter().map(|licence| (self.view.licensors(input, licence), licence)).collect();
        all.sort_by_key(|((who, is_gone), _)| (!who.is_empty(), *is_gone));
        let line = |((who, is_gone), licence): ((BTreeSet<&str>, bool), &str)| {
            let names = who.iter().copied().take(LICENSORS_TOLD).collect::<Vec<_>>().join(", ");
            let more = match who.len().saturating_sub(LICENSORS_TOLD) {
                0 => String::new(),
                more => format!(" and {}", counted(more, "other")),
            };
            let mut line = vec![self.named(licence)];
            if !who.is_empty() {
                line.extend([Words::plain(" as stated by "), Words::foreign(&format!("{names}{more}"))]);
            }
            line.extend(is_gone.then(|| Words::plain(", withdrawn")));
            line
        };
        all.into_iter().map(line).collect()
    }

    /// A value of a statement.
    pub(crate) fn term(&self, term: &Term) -> WordLine {
        match term {
            Term::NamedNode(node) => {
                let iri = node.as_str();
                match self.view.title(iri).filter(|_| self.linker.showing(iri).is_some()) {
                    Some(title) => {
                        vec![self.link_to(Words::foreign(&title), iri), Words::soft(" "), Words::iri(iri)]
                    }
                    None => vec![self.anywhere(Words::iri(iri), iri)],
                }
            }
            Term::BlankNode(node) => vec![Words::code(node.as_str())],
            Term::Literal(literal) => {
                let datatype = literal.datatype().as_str();
                let mut line = vec![Words::in_language(literal.value(), literal.language())];
                if ![xsd::STRING, rdf::LANG_STRING].contains(&datatype) {
                    let name = datatype.rsplit(['#', '/']).next().unwrap_or(datatype);
                    line.push(Words::soft(&format!(" {name}")));
                }
                line
            }
        }
    }

    /// Statements about one thing: what, and the values; its classes first.
    pub(crate) fn facts(&self, quads: &[Quad]) -> Vec<(Words, Vec<WordLine>)> {
        let mut facts: Vec<(&str, Vec<WordLine>)> = Vec::new();
        for quad in quads {
            let (predicate, value) = (quad.predicate.as_str(), self.term(&quad.object));
            match facts.iter_mut().find(|(known, _)| *known == predicate) {
                Some((_, values)) if values.contains(&value) => {}
                Some((_, values)) => values.push(value),
                None => facts.push((predicate, vec![value])),
            }
        }
        facts.sort_by_key(|(predicate, _)| *predicate != rdf::TYPE);
        facts.into_iter().map(|(predicate, values)| (self.property(predicate), values)).collect()
    }

    /// A property: by its label in the ontology, else by its name.
    fn property(&self, iri: &str) -> Words {
        let local = iri.rsplit(['#', '/']).next().unwrap_or(iri);
        let name = if iri == rdf::TYPE { "is a" } else { local };
        let label = self.view.title(iri);
        self.anywhere(Words::plain(label.as_deref().unwrap_or(name)), iri)
    }

    /// What leads from a table to its query: the name of the query, and its columns that are given, with their terms.
    pub(crate) fn asked_by(&self, query: &str, given: &[(&str, Term)]) -> [Words; 2] {
        let mut address = form_urlencoded::Serializer::new(String::new());
        address.append_pair("canned", query);
        address.extend_pairs(given.iter().map(|(column, term)| (format!("${column}"), term.to_string())));
        let page = self.href(&Route::List(ListPage::Sparql));
        let href = page.map(|page| format!("{page}?{}", address.finish()));
        [Words::plain(" "), Words::plain("This table’s query").to(href)]
    }

    /// The same, where a column is an IRI.
    pub(crate) fn asked_of(&self, query: &str, column: &str, iri: &str) -> [Words; 2] {
        self.asked_by(query, &[(column, NamedNode::new_unchecked(iri).into())])
    }

    /// A table of a report without some of its columns, by their names.
    pub(crate) fn sheet(&self, id: &str, caption: WordLine, table: &Table, without: &[&str]) -> PageSheet {
        let columns: Vec<usize> = (0..table.columns.len())
            .filter(|at| !without.contains(&table.columns[*at].name.as_str()))
            .collect();
        let head = |at: &usize| {
            let column = &table.columns[*at];
            let words = self.link_to(Words::plain(&column.heading), &code::iri(&column.name));
            SheetHead { words, is_number: column.align == Align::Right }
        };
        let row = |row: &Vec<String>| {
            let cell = |at: &usize| match table.columns[*at].align {
                Align::Right => SheetCell::number(&row[*at]),
                Align::Left => Words::foreign(&row[*at]).into(),
            };
            SheetRow::from(columns.iter().map(cell).collect::<Vec<_>>())
        };
        PageSheet {
            id: id.to_owned(),
            caption,
            heads: columns.iter().map(head).collect(),
            rows: table.rows.iter().map(row).collect(),
            is_folded: table.rows.len() > UNFOLDED,
            ..PageSheet::default()
        }
    }
}
