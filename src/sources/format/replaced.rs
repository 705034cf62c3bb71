//! Characters that were lost before the file was written: U+FFFD stands in their place.

use crate::base::issue::{Issue, IssueCode};
use crate::sources::document::{Document, Question};

/// What a decoder writes for bytes that it does not know.
const REPLACEMENT: char = '\u{fffd}';

/// Reports each question that has lost characters in its texts, queries or answers.
pub(crate) fn report(content: &[u8], document: &mut Document) {
    // the character itself begins with this byte in UTF-8; as an escape it needs one of the two others
    if ![0xef, b'\\', b'&'].iter().any(|byte| content.contains(byte)) {
        return;
    }
    for question in &document.questions {
        let count: usize = texts(question).map(|text| text.matches(REPLACEMENT).count()).sum();
        if count > 0 {
            let message = format!(
                "U+FFFD stands in texts, queries or answers ({count} times): the characters that it replaces are lost"
            );
            document.issues.push(Issue::new(IssueCode::ReplacementCharacter, &question.place, message));
        }
    }
}

fn texts(question: &Question) -> impl Iterator<Item = &str> {
    let texts = question.texts.iter().chain(&question.keywords).map(|text| text.text.as_str());
    let queries = question.queries.iter().map(|query| query.text.as_str());
    let rows = question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells);
    let candidates = question.candidates.iter().flat_map(|candidate| &candidate.cells);
    texts.chain(queries).chain(rows.chain(candidates).map(|cell| cell.value.as_str()))
}

#[cfg(test)]
mod tests {
    use crate::sources::file::source::Source;
    use crate::sources::format::read;

    #[test]
    fn lost_characters_are_told_once_a_question() {
        let text = "{\"questions\": [{\"id\": \"1\", \"question\": [{\"language\": \"en\", \"string\": \"a\u{fffd}\u{fffd}\"}], \"query\": {\"sparql\": \"\u{fffd}\"}},\n{\"id\": \"2\", \"question\": [{\"language\": \"en\", \"string\": \"b\"}]},\n{\"id\": \"3\", \"question\": [{\"language\": \"en\", \"string\": \"\\ufffd\"}]}]}";
        let (document, _) =
            read(&Source::from_bytes("f", text.as_bytes().to_vec()).expect("a source")).expect("read");
        let told: Vec<String> =
            document.issues.iter().map(|i| format!("{} {}: {}", i.code.name(), i.place, i.message)).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        replacement-character line 1, question 1: U+FFFD stands in texts, queries or answers (3 times): the characters that it replaces are lost
        replacement-character line 3, question 3: U+FFFD stands in texts, queries or answers (1 times): the characters that it replaces are lost
        ");
    }
}
