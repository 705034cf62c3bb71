//! QALD-XML as GERBIL's loader reads it (`ontology/gerbil.md`, sections E.1, E.3 and E.4).

use crate::profiles::loaders::Loaded;
use crate::profiles::loaders::gerbil_names::date_text;
use crate::profiles::loaders::reason::{LeftOut, Reason};
use crate::sources::document::{AnswerSet, AnswerState, Answers, Cell, QueryKind, Question, Row, Text};

/// Drops the questions whose query Jena does not parse, and makes of the others what the loader makes of them.
pub(crate) fn load(loaded: &mut Loaded, language: &str) {
    loaded.leave_out(refused);
    loaded.change(|question| {
        let mut told = Vec::new();
        told.extend(set_texts(question, language));
        told.extend(set_answers(question));
        let mut kinds = Vec::new();
        question.queries.retain(|query| {
            let is_first = !kinds.contains(&query.kind);
            kinds.push(query.kind);
            is_first
        });
        told
    });
}

/// Jena sees the first node of the first `<query>`. Without any node it sees nothing, and the question stays; pseudo
/// queries are not looked at.
fn refused(question: &Question) -> Option<LeftOut> {
    let because = |detail: String| Some(LeftOut { reason: Reason::QueryRefused, detail: Some(detail) });
    if question.blank_query_node {
        return because("its first node is white space".to_owned());
    }
    if question.answers.state == AnswerState::OutOfScope {
        return because("it is the marker `OUT OF SCOPE`".to_owned());
    }
    let query = question.queries.iter().find(|query| query.kind == QueryKind::Sparql)?;
    because(crate::sparql::read::check(&query.text).err()?.to_string())
}

/// The texts by language, the last of a language. The loader looks at every `<string>` below the question, those of the
/// answers too; it takes the first without a language for the language of the experiment, and stops.
fn set_texts(question: &mut Question, language: &str) -> Option<String> {
    let mut texts: Vec<Text> = Vec::new();
    let mut put =
        |tag: &str, text: &str| match texts.iter_mut().find(|known| known.language.as_deref() == Some(tag)) {
            Some(known) => text.trim().clone_into(&mut known.text),
            None => texts.push(Text { language: Some(tag.to_owned()), text: text.trim().to_owned() }),
        };
    let mut told = None;
    let is_bare = |text: &&Text| text.language.is_none();
    let first_bare = question.texts.iter().find(is_bare);
    for text in question.texts.iter().take_while(|text| text.language.is_some()) {
        put(text.language.as_deref().unwrap_or(language), &text.text);
    }
    if let Some(text) = first_bare {
        put(language, &text.text);
    } else if let Some(answer) = cells(question).find(|cell| cell.variable == "string") {
        put(language, &answer.value);
        told = Some(format!(
            "in place of its text in `{language}` it asks its first answer, `{}`",
            answer.value.trim()
        ));
    }
    question.texts = texts;
    told
}

fn cells(question: &Question) -> impl Iterator<Item = &Cell> {
    question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells)
}

/// One string for each `<answer>`, after the answer type.
fn set_answers(question: &mut Question) -> Option<String> {
    let answer_type = question.answer_type.as_deref().unwrap_or_default().to_lowercase();
    let rows = question.answers.sets.iter().flat_map(|set| &set.rows);
    let values: Vec<String> = rows.filter_map(|row| Some(value(&answer_type, row.cells.first()?))).collect();
    let (before, after) = (cells(question).count(), values.len());
    let rewritten =
        cells(question).zip(&values).find(|(cell, value)| cell.value != **value && before == after);
    let told = match rewritten {
        Some((cell, value)) => Some(format!("the answer `{}` becomes `{value}`", cell.value)),
        None => (after < before)
            .then(|| format!("of {before} values the {after} on the first lines of the answers are left")),
    };
    let cell = |value| Cell { variable: "answer".to_owned(), value, ..Cell::default() };
    let rows: Vec<Row> = values.into_iter().map(|value| Row { cells: [cell(value)].into() }).collect();
    question.answers = Answers {
        state: question.answers.state,
        sets: vec![AnswerSet { rows, has_bindings: true, ..AnswerSet::default() }],
    };
    told
}

/// The string of an answer. The text of all its cells begins with the first; in every file that was seen, the second
/// stands on a line of its own.
fn value(answer_type: &str, first: &Cell) -> String {
    match answer_type {
        "boolean" => first.value.trim().eq_ignore_ascii_case("true").to_string(),
        "date" => date_text(&first.value),
        _ => first.value.trim().lines().next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::profiles::loaders::{Loader, Loading, load};
    use crate::sources::document::Document;
    use crate::sources::file::source::Source;
    use crate::sources::format::read;

    fn document(questions: &str) -> Document {
        let xml = format!("<?xml version=\"1.0\"?><dataset id=\"d\">{questions}</dataset>");
        read(&Source::from_bytes("gold.xml", xml.into_bytes()).unwrap()).unwrap().0
    }

    fn loading(language: &str) -> Loading<'_> {
        Loading { loader: Loader::GerbilCurrent, part: None, language: Some(language) }
    }

    /// What becomes of the query of a question: nothing where it stays, or why it is dropped.
    fn dropped(query: &str) -> Option<String> {
        let document = document(&format!("<question id='1'><string>Q</string>{query}</question>"));
        let loaded = load(&document.clone().into(), "qald-xml", loading("en")).unwrap();
        loaded.left_out().next().map(|(_, left_out)| {
            assert_eq!(left_out.reason.code(), "skip-query-refused");
            left_out.detail.clone().unwrap_or_default()
        })
    }

    #[test]
    fn jena_parses_or_the_question_is_dropped() {
        let query = |text: &str| dropped(&format!("<query><![CDATA[{text}]]></query>"));
        assert_eq!(query("SELECT ?x WHERE { ?x a <http://e/C> }"), None);
        // a name with several points is one for Jena
        assert_eq!(query("PREFIX res: <http://e/> ASK { res:T._E._Lawrence a <http://e/C> }"), None);
        for text in [
            "SELECT COUNT(?x) WHERE { ?x a <http://e/C> }",
            "SELECT ?x WHERE { ?x a foaf:Person }",
            "SELECT ?x WHERE { ?x a <http://e/C> ",
            "OUT OF SCOPE",
            " ",
        ] {
            assert!(query(text).is_some(), "{text:?}");
        }
    }

    #[test]
    fn the_first_node_is_the_query() {
        let cdata = "<![CDATA[ASK {}]]>";
        assert_eq!(dropped(&format!("<query>{cdata}\n</query>")), None);
        assert_eq!(dropped("<query>\n ASK {}\n</query>"), None);
        let blank = Some("its first node is white space".to_owned());
        assert_eq!(dropped(&format!("<query>\n {cdata}</query>")), blank);
        assert_eq!(dropped("<query>\n</query>"), blank);
        // nothing is not looked at
        for query in ["<query></query>", "<query/>", "<query><![CDATA[]]></query>", ""] {
            assert_eq!(dropped(query), None, "{query}");
        }
        // nor is a pseudo query
        assert_eq!(dropped("<pseudoquery> <![CDATA[no query]]></pseudoquery>"), None);
    }

    /// The texts of a question, as `language=text`, and what is told.
    fn texts(inner: &str, language: &str) -> (Vec<String>, Vec<String>) {
        let document = document(&format!("<question id='1'>{inner}</question>"));
        let loaded = load(&document.clone().into(), "qald-xml", loading(language)).unwrap();
        let texts = loaded.questions().flat_map(|question| &question.texts);
        let texts = texts.map(|t| format!("{}={}", t.language.as_deref().unwrap_or("-"), t.text)).collect();
        (texts, loaded.changes().map(|(_, what)| what.to_owned()).collect())
    }

    #[test]
    fn a_string_among_the_answers_is_the_question() {
        let question = "<string lang='en'>Who?</string><string lang='de'>Wer?</string>";
        let answers =
            "<answers><answer><string>Ada</string></answer><answer><string>Bob</string></answer></answers>";
        let (english, told) = texts(&format!("{question}{answers}"), "en");
        assert_eq!(english, ["en=Ada", "de=Wer?"]);
        assert_eq!(told, ["in place of its text in `en` it asks its first answer, `Ada`"]);
        assert_eq!(texts(&format!("{question}{answers}"), "es").0, ["en=Who?", "de=Wer?", "es=Ada"]);
        // an IRI is not a string, and a bare text ends the search
        let uri = "<answers><answer><uri>http://e/a</uri></answer></answers>";
        assert_eq!(
            texts(&format!("{question}{uri}"), "en"),
            (vec!["en=Who?".to_owned(), "de=Wer?".to_owned()], vec![])
        );
        assert_eq!(
            texts(&format!("<string>Who?</string>{answers}"), "fr"),
            (vec!["fr=Who?".to_owned()], vec![])
        );
    }

    #[test]
    fn the_last_text_of_a_language_counts() {
        let (texts, told) = texts(
            "<string lang='en'>A</string><string lang='fa'>B</string><string lang='en'>C</string>",
            "en",
        );
        assert_eq!(texts, ["en=C", "fa=B"]);
        assert_eq!(told, Vec::<String>::new());
    }

    /// The gold strings of a question with this answer type, and what is told.
    fn gold(answer_type: &str, answers: &str) -> (Vec<String>, Vec<String>) {
        let document = document(&format!(
            "<question id='1' {answer_type}><string>Q</string><answers>{answers}</answers></question>"
        ));
        let loaded = load(&document.clone().into(), "qald-xml", loading("en")).unwrap();
        let rows = loaded.questions().flat_map(|question| &question.answers.sets).flat_map(|set| &set.rows);
        let values = rows.flat_map(|row| &row.cells).map(|cell| cell.value.clone()).collect();
        (values, loaded.changes().map(|(_, what)| what.to_owned()).collect())
    }

    #[test]
    fn gold_is_the_first_line_after_the_answer_type() {
        let pair = "<answer>\n<uri>http://e/a</uri>\n<string>A</string>\n</answer>";
        let told = "of 2 values the 1 on the first lines of the answers are left";
        assert_eq!(gold("", pair), (vec!["http://e/a".to_owned()], vec![told.to_owned()]));
        let boolean = "<answer><boolean>TRUE</boolean></answer>";
        assert_eq!(gold("answertype='Boolean'", boolean).0, ["true"]);
        assert_eq!(gold("answertype='boolean'", "<answer>1</answer>").0, ["false"]);
        assert_eq!(gold("answertype='resource'", boolean), (vec!["TRUE".to_owned()], vec![]));
        let date = "<answer><date>1905-9-01+02:00</date></answer>";
        let told = "the answer `1905-9-01+02:00` becomes `1905-09-01`";
        assert_eq!(gold("answertype='date'", date), (vec!["1905-09-01".to_owned()], vec![told.to_owned()]));
        assert_eq!(gold("answertype='number'", date).0, ["1905-9-01+02:00"]);
        assert_eq!(
            gold("answertype='date'", "<answer>-0043-03-15</answer><answer>2004</answer>").0,
            ["0044-03-15", "2004"]
        );
        assert_eq!(gold("answertype='list'", "<answer>a\nb</answer>").0, ["a"]);
        assert_eq!(gold("answertype='list'", "").0, Vec::<String>::new());
    }
}
