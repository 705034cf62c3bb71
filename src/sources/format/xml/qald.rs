//! QALD-XML in all its dialects: a `dataset` of `question` elements (QALD-1 to QALD-7, qbench, hawk).

use crate::base::error::{Error, Result};
use crate::base::issue::{IssueCode, Place};
use crate::sources::document::{AnswerSet, Cell, CellKind, Document, QueryKind, Row};
use crate::sources::format::context::Context;
use crate::sources::format::json::fields::FLAGS;
use crate::sources::format::xml::element::{Element, Node};
use crate::sources::format::xml::stream::Xml;
use crate::sources::format::xml::write::write;
use crate::sources::format::{Format, Target, sniff};

/// QALD-XML and its dialects.
pub(crate) static FORMAT: Format = Format {
    name: "qald-xml",
    description: "QALD XML (QALD-1 to QALD-7, qbench), gold or answers.",
    media_type: "application/xml",
    recognise: |content| sniff::root_element(content) == Some(b"dataset"),
    read,
    targets: &[Target {
        name: "qald-xml",
        description: "QALD XML in the shape of QALD-3 and QALD-4, with typed answers",
        ending: Some("xml"),
        media_type: "application/xml",
        may_be_empty: true,
        is_exact: false,
        write: |document, _| write(document),
    }],
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let (mut xml, root) = Xml::open(text)?;
    if root.name != "dataset" {
        let message = format!("the root element is `{}`", root.name);
        return Err(Error::input(message).allowed("the root element `dataset`"));
    }
    let here = &mut here.named("dataset");
    read_root(&root, here);
    while let Some(node) = xml.next()? {
        match node {
            Node::Element(element) if element.name == "question" => {
                let index = here.draft.questions.len();
                read_question(element, &mut here.item("question", index));
            }
            other => stray(&other, here),
        }
    }
    if here.draft.questions.is_empty() {
        // hawk writes such a file where it could answer nothing: fine as a submission, and no gold standard
        here.enter(Place::line(root.line));
        here.note(IssueCode::NoQuestions, "the file has no `<question>`: it answers nothing");
    }
    Ok(())
}

fn read_root(root: &Element, here: &mut Context<Document>) {
    here.enter(Place::line(root.line));
    tell_repairs(root, here);
    for (name, _) in root.attributes.iter().filter(|(name, _)| name != "id") {
        here.child(name).unknown("attribute", name);
    }
    here.enter(Place::default());
    here.draft.dataset_id = root.attribute("id").map(str::to_owned);
}

fn stray(node: &Node, here: &mut Context<Document>) {
    match node {
        Node::Element(element) => {
            here.enter(Place::line(element.line));
            here.child(&element.name).unknown("element", &element.name);
        }
        Node::Text(text) => {
            let beginning: String = text.trim().chars().take(40).collect();
            let message = format!("the text `{beginning}` stands outside of questions; it is not used");
            here.note(IssueCode::UnknownField, message);
        }
        Node::Comment => {}
    }
    here.enter(Place::default());
}

fn tell_repairs<M>(element: &Element, here: &mut Context<M>) {
    for repair in &element.repairs {
        here.note(IssueCode::NotWellFormed, repair);
    }
}

fn read_question(element: Element, here: &mut Context<Document>) {
    let id = element.attribute("id").unwrap_or_default().trim().to_owned();
    here.question(&id, element.line, |here| {
        tell_repairs(&element, here);
        for (name, value) in element.attributes {
            read_attribute(&name, value.into_owned(), &mut here.child(&name));
        }
        for node in element.nodes {
            match node {
                Node::Element(child) => {
                    let name = child.name.clone();
                    read_child(child, &mut here.child(&name));
                }
                Node::Text(text) => keep_text(&text, here),
                Node::Comment => {}
            }
        }
        here.check_text();
    });
    here.enter(Place::default());
}

/// Text between elements.
fn keep_text(text: &str, here: &mut Context) {
    if !text.trim().is_empty() {
        let message = "text stands between the elements; it is kept, but no rule reads it";
        here.note(IssueCode::UnknownField, message);
        here.child("text()").keep(&text.trim());
    }
}

/// An element that the format does not have, as XML.
fn keep_element(element: &Element, here: &mut Context) {
    here.keep_unknown("element", &element.name, element);
}

fn read_attribute(name: &str, value: String, here: &mut Context) {
    match name {
        "id" => {}
        "answertype" => here.set_answer_type(value),
        flag if FLAGS.contains(&flag) => here.add_flag(flag, value),
        _ => here.keep_unknown("attribute", name, &value),
    }
}

fn read_child(element: Element, here: &mut Context) {
    match element.name.as_ref() {
        "string" => {
            let language = read_language(&element, here);
            here.draft.add_text(language, element.text());
        }
        "keywords" => {
            let language = read_language(&element, here);
            here.draft.add_keywords(language, element.text());
        }
        "query" => read_query(element, QueryKind::Sparql, here),
        "pseudoquery" => read_query(element, QueryKind::Pseudo, here),
        "answers" => read_answers(&element, here),
        "error" => here.set_error(element.text()),
        "time" => here.set_time(&element.text(), 0),
        _ => keep_element(&element, here),
    }
}

fn read_language<'e>(element: &'e Element, here: &mut Context) -> Option<&'e str> {
    keep_attributes(element, &["lang", "xml:lang"], here);
    for inner in element.elements() {
        keep_element(inner, &mut here.child(&inner.name));
    }
    element.attribute("lang").or_else(|| element.attribute("xml:lang"))
}

/// A query; in qbench the answers are in it, after its text.
fn read_query(element: Element, kind: QueryKind, here: &mut Context) {
    let text = element.text();
    if kind == QueryKind::Sparql && here.draft.question.queries.is_empty() {
        let only_space = text.is_empty() && element.begins_blank;
        here.draft.question.blank_query_node = element.blank_first || only_space;
    }
    here.add_query(kind, &text);
    keep_attributes(&element, &[], here);
    for node in element.nodes {
        match node {
            Node::Element(inner) if inner.name == "answers" => {
                read_answers(&inner, &mut here.child("answers"));
            }
            Node::Element(inner) => keep_element(&inner, &mut here.child(&inner.name)),
            Node::Text(_) | Node::Comment => {}
        }
    }
}

/// Reads one `answers` element.
fn read_answers(element: &Element, here: &mut Context) {
    here.draft.has_answers = true;
    let mut set = AnswerSet { has_bindings: true, ..AnswerSet::default() };
    for (name, value) in &element.attributes {
        let inner = &mut here.child(name);
        match name.as_ref() {
            "confidence" => set.confidence = inner.confidence(value),
            _ => inner.keep_unknown("attribute", name, value),
        }
    }
    let mut index = 0;
    for node in &element.nodes {
        match node {
            Node::Element(answer) => {
                read_answer(answer, &mut set, &mut here.item(&answer.name, index));
                index += 1;
            }
            Node::Text(text) => {
                if !text.trim().is_empty() {
                    here.cannot_read("text stands beside the answers; it is not used");
                    here.child("text()").keep(&text.trim());
                }
            }
            Node::Comment => comment(here),
        }
    }
    here.draft.add_set(set);
}

fn comment(here: &mut Context) {
    let message = "a comment stands inside the answers; its content does not count";
    here.note(IssueCode::CommentInAnswers, message);
}

fn read_answer(element: &Element, set: &mut AnswerSet, here: &mut Context) {
    if element.name != "answer" {
        let message = format!("`<{}>` stands outside of `<answer>`; it is read as an answer", element.name);
        here.note(IssueCode::WrongType, message);
        set.rows.push(Row { cells: [read_cell(element, here)].into() });
        return;
    }
    let row = if element.elements().next().is_some() {
        read_tuple(element, here)
    } else {
        read_flat(element, here)
    };
    set.rows.extend(row);
}

fn read_tuple(element: &Element, here: &mut Context) -> Option<Row> {
    let mut cells = Vec::with_capacity(element.nodes.len());
    keep_attributes(element, &[], here);
    for node in &element.nodes {
        match node {
            Node::Element(cell) => cells.push(read_cell(cell, &mut here.child(&cell.name))),
            Node::Text(text) => keep_text(text, here),
            Node::Comment => comment(here),
        }
    }
    (!cells.is_empty()).then_some(Row { cells: cells.into() })
}

/// An answer that is its own value (QALD-5 and later).
fn read_flat(element: &Element, here: &mut Context) -> Option<Row> {
    let cell = read_cell(element, here);
    if cell.value.is_empty() {
        here.note(IssueCode::NullValue, "an answer is empty; it is left out");
        return None;
    }
    Some(Row { cells: [cell].into() })
}

/// A value. Its kind is what its element or its own `answerType` says, never the question's answer type.
fn read_cell(element: &Element, here: &mut Context) -> Cell {
    keep_attributes(element, &["answerType"], here);
    for node in &element.nodes {
        match node {
            Node::Element(inner) => keep_element(inner, &mut here.child(&inner.name)),
            Node::Comment => comment(here),
            Node::Text(_) => {}
        }
    }
    let word = element.attribute("answerType").unwrap_or(&element.name);
    let (variable, kind) = (element.name.to_string(), kind_of(word));
    Cell { variable, kind, value: element.text(), ..Cell::default() }
}

fn keep_attributes(element: &Element, known: &[&str], here: &mut Context) {
    for (name, value) in element.attributes.iter().filter(|(name, _)| !known.contains(&name.as_ref())) {
        here.child(name).keep_unknown("attribute", name, value);
    }
}

/// `answerType` of qbench has more words than QALD has elements.
fn kind_of(word: &str) -> CellKind {
    match word {
        "uri" => CellKind::Uri,
        "string" | "number" | "date" | "boolean" | "datetime" | "year" => CellKind::Literal,
        _ => CellKind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, CellKind, Question};

    fn one(question: &str) -> (Question, Vec<String>) {
        let text = format!("<?xml version=\"1.0\"?>\n<dataset id=\"d\">\n{question}\n</dataset>");
        let mut document = FORMAT.recognised(&text);
        let told = document.issues.iter().map(|i| format!("{} {}", i.code.name(), i.place));
        let told = told.filter(|t| !t.starts_with("missing-text")).collect();
        (document.questions.remove(0), told)
    }

    fn rows(question: &Question) -> Vec<String> {
        let rows = question.answers.sets.iter().flat_map(|set| &set.rows);
        let text = |row: &Row| {
            let cells = row.cells.iter().map(|cell| format!("{}={}", cell.variable, cell.value));
            cells.collect::<Vec<_>>().join(" ")
        };
        rows.map(text).collect()
    }

    #[test]
    fn xml_1_has_pairs_and_a_stray_number() {
        let (question, told) = one(
            "<question id=\"8\"><string>\nWho &amp; what?\n</string><query>SELECT &lt;x&gt;</query>
            <answers><answer><uri>\nhttp://e/a\n</uri><string>A</string></answer><number>5</number></answers></question>",
        );
        assert_eq!(question.texts[0].text, "Who & what?");
        assert_eq!((question.texts[0].language.as_deref(), question.place.line), (None, Some(3)));
        assert_eq!(question.queries[0].text, "SELECT <x>");
        assert_eq!(rows(&question), ["uri=http://e/a string=A", "number=5"]);
        let cells = &question.answers.sets[0].rows[0].cells;
        assert_eq!((cells[0].kind, cells[1].kind), (CellKind::Uri, CellKind::Literal));
        assert_eq!(told, ["wrong-type line 3, question 8, dataset/question[1]/answers/number[2]"]);
    }

    #[test]
    fn xml_3_and_4() {
        let (question, told) = one("<question id='1' answertype='list' aggregation='true' onlydbo='x'>
            <string lang='en'><![CDATA[Q]]></string><keywords lang='de'><![CDATA[k]]></keywords>
            <pseudoquery><![CDATA[SELECT text:\"x\"]]>\n</pseudoquery>
            <answers><answer><boolean>True</boolean></answer></answers></question>");
        assert_eq!(
            question.queries[0],
            crate::sources::document::Query {
                kind: QueryKind::Pseudo,
                text: "SELECT text:\"x\"".to_owned(),
                language: None
            }
        );
        assert_eq!(question.keywords[0].language.as_deref(), Some("de"));
        assert_eq!(rows(&question), ["boolean=True"]);
        let set = &question.answers.sets[0];
        assert_eq!((set.boolean, set.rows[0].cells[0].kind), (None, CellKind::Literal));
        assert_eq!(
            told,
            [
                "unknown-answer-type line 3, question 1, dataset/question[1]/answertype",
                "odd-flag line 3, question 1, dataset/question[1]/onlydbo"
            ]
        );
    }

    #[test]
    fn xml_5_has_flat_answers_and_comments() {
        let (question, told) = one(
            "<question id='1'><query>OUT OF SCOPE</query>
            <answers><answer><![CDATA[http://e/a]]></answer><!-- <answer>b</answer> --><answer/></answers></question>",
        );
        assert_eq!(rows(&question), ["answer=http://e/a"]);
        assert_eq!(question.answers.sets[0].rows[0].cells[0].kind, CellKind::Unknown);
        let codes: Vec<&str> = told.iter().filter_map(|t| t.split(' ').next()).collect();
        assert_eq!(codes, ["comment-in-answers", "null-value", "wrong-type"]);
    }

    #[test]
    fn xml_6_has_answers_in_the_query() {
        let (question, told) =
            one("<question id='1' cubeuri='c' statistical='true'><query>select ?x {}<answers>
            <answer answerType='number'>5</answer>
            <answer><country answerType='uri'>http://e/c</country><sum answerType='number'>7</sum></answer>
            </answers></query></question>");
        assert_eq!(question.queries[0].text, "select ?x {}");
        assert_eq!(rows(&question), ["answer=5", "country=http://e/c sum=7"]);
        let kinds: Vec<CellKind> =
            question.answers.sets[0].rows.iter().flat_map(|r| &r.cells).map(|c| c.kind).collect();
        assert_eq!(kinds, [CellKind::Literal, CellKind::Uri, CellKind::Literal]);
        assert_eq!(told, ["unknown-field line 3, question 1, dataset/question[1]/cubeuri"]);
    }

    #[test]
    fn states_differ() {
        let state = |inner: &str| one(&format!("<question id='1'>{inner}</question>")).0.answers.state;
        assert_eq!(state(""), AnswerState::Absent);
        assert_eq!(state("<answers/>"), AnswerState::Empty);
        assert_eq!(state("<answers>unknown</answers>"), AnswerState::Unreadable);
        assert_eq!(state("<query>OUT OF SCOPE</query><answers></answers>"), AnswerState::OutOfScope);
    }

    #[test]
    fn damage_is_told() {
        let (question, told) =
            one("<question id='1' id='2' foo='x'>lost<string xml:lang='en'>A & B</string><query/><zzz/>
            <answers confidence='0.5'><answer>x</answer></question><other/>more");
        assert_eq!(
            (question.texts[0].text.as_str(), question.texts[0].language.as_deref()),
            ("A & B", Some("en"))
        );
        assert_eq!(question.answers.sets[0].confidence.as_deref(), Some("0.5"));
        let codes: Vec<&str> = told.iter().filter_map(|t| t.split(' ').next()).collect();
        assert_eq!(
            codes,
            [
                "not-well-formed", // id twice
                "not-well-formed", // a lone ampersand
                "not-well-formed", // answers not closed
                "unknown-field",   // foo
                "unknown-field",   // lost
                "empty-query",
                "unknown-field", // zzz
                "unknown-field", // other
                "unknown-field", // more
            ]
        );
    }

    #[test]
    fn unknown_attributes_elements_and_texts_are_kept() {
        let (question, told) = one("<question id='1' cubeuri='c &lt; d'>lost<string lang='en' foo='x'>Q<b/></string>
            <zzz a='1'>t &amp; <i>u</i></zzz><answers><answer><uri n='2'>v</uri></answer></answers></question>");
        let extras: Vec<String> = question.extras.iter().map(|e| format!("{}={}", e.name, e.value)).collect();
        assert_eq!(
            extras,
            [
                "cubeuri=c < d",
                "text()=lost",
                "string/foo=x",
                "string/b=<b></b>",
                "zzz=<zzz a=\"1\">t &amp; <i>u</i></zzz>",
                "answers/answer[1]/uri/n=2",
            ]
        );
        assert_eq!(told.len(), extras.len());
    }

    #[test]
    fn a_dataset_without_questions_has_an_issue() {
        let document = FORMAT.document(b"\n<dataset id='x'/>").expect("a document");
        assert_eq!((document.dataset_id.as_deref(), document.questions.len()), (Some("x"), 0));
        let issue = &document.issues[0];
        assert_eq!((issue.code, issue.place.line), (IssueCode::NoQuestions, Some(2)));
    }

    #[test]
    fn other_files_are_errors() {
        let told = |text: &str| FORMAT.document(text.as_bytes()).expect_err("an error").to_string();
        insta::assert_snapshot!(["<sparql/>", ""].map(told).join("\n---\n"), @r"
        the root element is `sparql`.
        allowed: the root element `dataset`
        ---
        the XML has no root element.
        ");
    }
}
