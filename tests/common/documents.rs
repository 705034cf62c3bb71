//! Arbitrary documents: records as odd as the types allow.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use qassay::base::issue::Place;
use qassay::sources::document::{
    Annotation, AnswerSet, AnswerState, Answers, Candidate, Cell, CellKind, Document, Extra, LiveAnswer,
    Query, QueryKind, Question, Row, Text,
};
use qassay::sources::format::json::fields::FLAGS;

/// Texts that formats stumble over, and others.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "",
        " ",
        "\r",
        "\n",
        "\r\n",
        "a\rb",
        "\0",
        "\u{1}",
        "\u{7f}",
        "\u{85}",
        "\u{a0}x",
        "\u{fffe}",
        "𝄞",
        "é",
        "e\u{301}",
        "\"",
        "\"q\"",
        "'",
        "\\",
        "\\u0041",
        "<a&b>",
        "]]>",
        "&amp;",
        "a,b\tc",
        "true",
        "false",
        "OUT OF SCOPE",
        "out of scope",
        "1",
        "-0.50",
        "1e5",
        "007",
        "null",
        "{\"a\": [1,\n 2.0]}",
        "http://example.org/a",
        "<http://example.org/a b>",
        "ck25:27-en",
        "a:b-de",
        "x@en",
        "_:b0",
        "answer",
        "uri",
        "string",
        "text",
        "id",
        "SPARQL",
        "question",
        "\u{feff}x",
    ]);
    prop_oneof![4 => odd.prop_map(str::to_owned), 2 => "[a-z]{1,3}", 1 => any::<String>()]
}

fn texts() -> impl Strategy<Value = Vec<Text>> {
    vec((of(text()), text()).prop_map(|(language, text)| Text { language, text }), 0..3)
}

fn cell() -> impl Strategy<Value = Cell> {
    let kinds = [CellKind::Uri, CellKind::Literal, CellKind::BlankNode, CellKind::Unknown];
    let kind = prop::sample::select(kinds.to_vec());
    (text(), kind, text(), of(text()), of(text()), any::<bool>(), texts()).prop_map(
        |(variable, kind, value, datatype, language, datatype_first, names)| Cell {
            variable,
            kind,
            value,
            datatype,
            language,
            datatype_first,
            names: names.into(),
        },
    )
}

fn set() -> impl Strategy<Value = AnswerSet> {
    let rows = vec(vec(cell(), 1..3).prop_map(|cells| Row { cells: cells.into() }), 0..4);
    (vec(text(), 0..2), of(any::<bool>()), any::<bool>(), rows, of(text())).prop_map(
        |(variables, boolean, has_bindings, rows, confidence)| AnswerSet {
            variables,
            boolean,
            has_bindings,
            rows,
            confidence,
        },
    )
}

fn answers() -> impl Strategy<Value = Answers> {
    let states = ["absent", "empty", "given", "out-of-scope", "unreadable"];
    let state =
        prop::sample::select(states.to_vec()).prop_map(|name| AnswerState::named(name).expect("a state"));
    (state, vec(set(), 0..3)).prop_map(|(state, sets)| Answers { state, sets })
}

fn queries() -> impl Strategy<Value = Vec<Query>> {
    let kinds = vec![QueryKind::Sparql, QueryKind::Pseudo, QueryKind::Schemaless];
    let query = (prop::sample::select(kinds), text(), of(text()));
    vec(query.prop_map(|(kind, text, language)| Query { kind, text, language }), 0..3)
}

fn annotations() -> impl Strategy<Value = Vec<Annotation>> {
    let annotation = (of(text()), of(text()), text(), of(text()));
    vec(annotation.prop_map(|(begin, end, iri, kind)| Annotation { begin, end, iri, kind }), 0..2)
}

fn candidates() -> impl Strategy<Value = Vec<Candidate>> {
    let candidate = (vec(cell(), 0..3), of(text()), of(text()), of(text()));
    let candidate = candidate.prop_map(|(cells, label, score, rank)| {
        let [label, score, rank] = [label, score, rank].map(|text| text.map(Box::from));
        Candidate { cells: cells.into(), label, score, rank }
    });
    vec(candidate, 0..2)
}

fn flags() -> impl Strategy<Value = Vec<(String, String)>> {
    let name = prop_oneof![3 => prop::sample::select(FLAGS.to_vec()).prop_map(str::to_owned), 1 => text()];
    vec((name, text()), 0..3)
}

fn question() -> impl Strategy<Value = Question> {
    let place = (of(1..9_u64), of(text()), of(text())).prop_map(|(line, question, path)| Place {
        line,
        question,
        path,
    });
    let extras = vec((text(), text()).prop_map(|(name, value)| Extra { name, value }), 0..2);
    let kept =
        vec((text(), text()), 0..2).prop_map(|parts| parts.into_iter().map(|(at, one)| (at, one.into())));
    let asked = (of(text()), of(text()), 1..9_u32, vec(text(), 0..2), kept);
    let asked = of(asked.prop_map(|(failure, exchange, tries, notes, kept)| LiveAnswer {
        failure,
        exchange,
        tries,
        notes,
        kept: kept.collect(),
    }));
    let described = (text(), any::<bool>(), place, of(text()), of(text()), vec(text(), 0..2), flags());
    let others =
        (texts(), texts(), queries(), annotations(), answers(), candidates(), of(text()), of(text()), extras);
    (described, others, asked).prop_map(|(described, others, asked)| {
        let (id, id_is_number, place, language, answer_type, answer_item_types, flags) = described;
        let (texts, keywords, queries, annotations, answers, candidates, error, response_time, extras) =
            others;
        Question {
            // every reader trims it
            id: id.trim().to_owned(),
            id_is_number,
            key: String::new(),
            place,
            texts,
            language,
            keywords,
            answer_type,
            answer_item_types,
            flags,
            queries,
            annotations,
            answers,
            candidates,
            error,
            response_time,
            asked,
            blank_query_node: id_is_number,
            extras,
        }
    })
}

/// A document with its keys.
pub(crate) fn document() -> impl Strategy<Value = Document> {
    (of(text()), vec(question(), 0..4)).prop_map(|(dataset_id, questions)| {
        let mut document = Document { dataset_id, questions, issues: Vec::new() };
        document.assign_keys();
        document.issues.clear();
        document
    })
}
