//! Tables of answers: which columns they have, and how their fields are separated.

use crate::sources::file::line;

/// What a column says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnRole {
    /// The id of the question.
    Id,
    /// A value of the answer.
    Answer,
    /// The text of the question.
    Question,
    /// The language tag of the value.
    Language,
    /// `uri`, `literal`, `boolean` or `bnode`.
    Type,
    /// The datatype of the value.
    Datatype,
    /// The variable of the value.
    Variable,
    /// Cells with the same number are one row.
    Row,
    /// How sure the system is.
    Confidence,
    /// The query of the question.
    Query,
}

/// The names of columns, in lower case.
const NAMES: [(&str, ColumnRole); 19] = [
    ("id", ColumnRole::Id),
    ("question_id", ColumnRole::Id),
    ("questionid", ColumnRole::Id),
    ("question-id", ColumnRole::Id),
    ("question id", ColumnRole::Id),
    ("qid", ColumnRole::Id),
    ("answer", ColumnRole::Answer),
    ("answers", ColumnRole::Answer),
    ("value", ColumnRole::Answer),
    ("question", ColumnRole::Question),
    ("language", ColumnRole::Language),
    ("lang", ColumnRole::Language),
    ("type", ColumnRole::Type),
    ("datatype", ColumnRole::Datatype),
    ("variable", ColumnRole::Variable),
    ("row", ColumnRole::Row),
    ("confidence", ColumnRole::Confidence),
    ("score", ColumnRole::Confidence),
    ("query", ColumnRole::Query),
];

/// The names, in lower case, of a column that stands in place of the answer where no other does.
const IN_PLACE_OF_ANSWER: [&str; 2] = ["prediction", "predictions"];

/// The measures of results, in lower case: a table of them is no table of answers.
const MEASURES: [&str; 16] = [
    "map",
    "mrr",
    "precision",
    "recall",
    "f1",
    "f",
    "f-measure",
    "fmeasure",
    "accuracy",
    "pre",
    "rec",
    "tp",
    "fp",
    "fn",
    "ndcg",
    "averaged f1",
];

/// What separates fields, the most telling first.
const DELIMITERS: [u8; 3] = [b'\t', b',', b';'];

/// The form of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    /// What separates the fields.
    pub(crate) delimiter: u8,
    /// The names of the header, trimmed; none where the file has no header.
    pub(crate) names: Vec<String>,
    /// What each column says; none where the format does not know its name.
    pub(crate) roles: Vec<Option<ColumnRole>>,
}

impl Columns {
    /// Whether the file has a header.
    pub(crate) fn has_header(&self) -> bool {
        !self.names.is_empty()
    }

    /// The column of a role.
    pub(crate) fn of(&self, role: ColumnRole) -> Option<usize> {
        self.roles.iter().position(|known| *known == Some(role))
    }
}

/// The role of a column with this name.
fn role(name: &str) -> Option<ColumnRole> {
    let name = name.trim().to_lowercase();
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, role)| *role)
}

/// Whether a column may stand in place of the answer.
fn is_prediction(name: &str) -> bool {
    IN_PLACE_OF_ANSWER.contains(&name.trim().to_lowercase().as_str())
}

/// Whether a name is that of a measure.
pub(crate) fn is_measure(name: &str) -> bool {
    MEASURES.contains(&name.trim().to_lowercase().as_str())
}

/// The fields of a line of which no field has a line break.
pub(crate) fn fields(line: &str, delimiter: u8) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(line.as_bytes());
    let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
    record.iter().map(str::to_owned).collect()
}

/// The form of a table of answers; none where the file is something else.
pub(crate) fn columns(content: &[u8]) -> Option<Columns> {
    if !line::may_be_lines(content) {
        return None;
    }
    let first = line::first_lines(content).into_iter().next()?;
    DELIMITERS
        .into_iter()
        .find_map(|delimiter| header(&first, delimiter))
        .or_else(|| DELIMITERS.into_iter().find_map(|delimiter| pairs(content, &first, delimiter)))
}

/// The form of a table with answers and predictions where the predictions are read; none of any other.
pub(crate) fn with_predictions(content: &[u8]) -> Option<Columns> {
    let mut columns = columns(content)?;
    let (answer, prediction) =
        (columns.of(ColumnRole::Answer)?, columns.names.iter().position(|name| is_prediction(name))?);
    if answer == prediction {
        return None;
    }
    columns.roles.swap(answer, prediction);
    Some(columns)
}

fn header(line: &str, delimiter: u8) -> Option<Columns> {
    let names: Vec<String> = fields(line, delimiter).iter().map(|name| name.trim().to_owned()).collect();
    let mut roles: Vec<Option<ColumnRole>> = Vec::with_capacity(names.len());
    for name in &names {
        // of two columns that say the same the first counts
        let role = role(name).filter(|role| !roles.contains(&Some(*role)));
        roles.push(role);
    }
    if !roles.contains(&Some(ColumnRole::Answer))
        && let Some(column) = names.iter().position(|name| is_prediction(name))
    {
        roles[column] = Some(ColumnRole::Answer);
    }
    let columns = Columns { delimiter, names, roles };
    (columns.of(ColumnRole::Id).is_some() && columns.of(ColumnRole::Answer).is_some()).then_some(columns)
}

/// A file without header: every line has an id without white space and an answer.
fn pairs(content: &[u8], first: &str, delimiter: u8) -> Option<Columns> {
    let text = std::str::from_utf8(crate::sources::file::text::without_mark(content)).ok()?;
    let head = fields(first, delimiter);
    let is_header = head.iter().all(|name| role(name).is_some() || is_prediction(name));
    let is_pair = |line: &str| {
        let pair = fields(line, delimiter);
        pair.len() == 2 && !pair[0].is_empty() && !pair[0].contains(char::is_whitespace)
    };
    let is_measured = line::lines(text)
        .all(|(_, line)| fields(line, delimiter).first().is_some_and(|field| is_measure(field)));
    let is_pairs = !is_header && !is_measured && line::lines(text).all(|(_, line)| is_pair(line));
    is_pairs.then(|| Columns {
        delimiter,
        names: Vec::new(),
        roles: vec![Some(ColumnRole::Id), Some(ColumnRole::Answer)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second mark is all that the CSV reader sees: it takes it away and finds no field.
    #[test]
    fn a_line_may_have_no_field() {
        for text in ["\u{feff}", "\u{feff}\u{feff}", "\u{feff}\u{feff}\n\u{feff}", "1\tx\n\u{feff}"] {
            assert!(columns(text.as_bytes()).is_none_or(|columns| columns.names.is_empty()), "{text:?}");
        }
    }

    #[test]
    fn headers_and_delimiters() {
        let found = |text: &str| columns(text.as_bytes()).map(|c| (c.delimiter, c.names.len(), c.roles));
        assert_eq!(
            found("\u{feff}ID;Answer;Note\n1;x;y"),
            Some((b';', 3, vec![Some(ColumnRole::Id), Some(ColumnRole::Answer), None]))
        );
        assert_eq!(
            found("\"question id\",\"value\",answer\n"),
            Some((b',', 3, vec![Some(ColumnRole::Id), Some(ColumnRole::Answer), None]))
        );
        assert_eq!(found("qid\tlang\tanswers\n").map(|c| c.0), Some(b'\t'));
        assert_eq!(
            found("1\ta, b\n2\tc\n"),
            Some((b'\t', 0, vec![Some(ColumnRole::Id), Some(ColumnRole::Answer)]))
        );
        assert_eq!(found("1,\"a, b\"\n2,\n").map(|c| c.0), Some(b','));
    }

    #[test]
    fn a_prediction_stands_in_place_of_the_answer() {
        let roles = |text: &str| columns(text.as_bytes()).map(|c| c.roles);
        let (id, answer) = (Some(ColumnRole::Id), Some(ColumnRole::Answer));
        assert_eq!(roles("id,Prediction\n1,x\n"), Some(vec![id, answer]));
        assert_eq!(roles("qid\tquestion\tpredictions\n"), Some(vec![id, Some(ColumnRole::Question), answer]));
        assert_eq!(roles("id,prediction,answer\n"), Some(vec![id, None, answer]));
        assert_eq!(roles("id,prediction,predictions\n"), Some(vec![id, answer, None]));
        for none in ["prediction,answer\n", "question\tprediction\n"] {
            assert_eq!(roles(none), None, "{none}");
        }
    }

    #[test]
    fn scores_and_other_tables_are_no_answers() {
        for text in [
            "ID\tPrecision\tRecall\tF1\n1\t0\t0\t0\n",
            "Question\t Annotator Answers\t Golden Answers\t tp\t fp\n",
            "MAP\t1\r\nMRR\t1\r\n",
            "question\tanswer\n",
            "question,answer\nx,y\n",
            "a b,c\nd,e\n",
            "1,2\n3\n",
            "1\n2\n",
            "http://a/b\n",
            "{\"id\",\"answer\"",
            "",
        ] {
            assert_eq!(columns(text.as_bytes()), None, "{text}");
        }
    }
}
