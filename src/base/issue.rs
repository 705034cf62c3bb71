//! What a reader notices about a file without giving up on it.

use std::fmt;

/// A place in a file: as much as the reader knows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// The id of the question as written.
    pub question: Option<String>,
    /// A path in the file, such as `$.questions[3].answers[0]` or `dataset/question/answers`.
    pub path: Option<String>,
}

impl Place {
    /// A place known by its line only.
    pub fn line(line: u64) -> Self {
        Self { line: Some(line), ..Self::default() }
    }

    /// The same place, with a path in the file.
    #[must_use]
    pub fn with_path(&self, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..self.clone() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(line) = self.line {
            write!(f, "line {line}")?;
            separator = ", ";
        }
        if let Some(question) = &self.question {
            write!(f, "{separator}question {question}")?;
            separator = ", ";
        }
        if let Some(path) = &self.path {
            write!(f, "{separator}{path}")?;
        }
        Ok(())
    }
}

/// How bad an issue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; changes no number.
    Note,
    /// A number may be other than its reader expects.
    Warning,
    /// A question or an answer cannot be used.
    Error,
}

impl Severity {
    /// The word of the code list `code:severity`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Something noticed about a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Issue {
    /// The kind of issue; its definition is the concept `code:issue-NAME` of the ontology.
    pub code: IssueCode,
    /// Where it is.
    pub place: Place,
    /// One sentence without full stop: what is wrong and what was done about it.
    pub message: String,
}

impl Issue {
    /// An issue at a place.
    pub fn new(code: IssueCode, place: &Place, message: impl Into<String>) -> Self {
        Self { code, place: place.clone(), message: message.into() }
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The message without what it quotes from a file: `…` stands for that. Options of the program stay.
    pub fn without_values(&self) -> String {
        let mut rest = self.message.as_str();
        let mut text = String::with_capacity(rest.len());
        while let Some((at, open, close)) = first_quote(rest) {
            let (before, quoted) = (&rest[..at], &rest[at + open.len_utf8()..]);
            let Some(end) = quoted.find(close) else { break };
            text.push_str(before);
            text.push(open);
            let is_ours = quoted.starts_with("--") || quoted.starts_with("qassay ");
            text.push_str(if is_ours { &quoted[..end] } else { "…" });
            text.push(close);
            rest = &quoted[end + close.len_utf8()..];
        }
        text.push_str(rest);
        // What others say comes last and without quotes.
        match text.find(": ").filter(|_| QUOTES_AT_THE_END.contains(&self.code)) {
            Some(at) => format!("{}: …", &text[..at]),
            None => text,
        }
    }
}

/// The issues whose messages end with what a file or another program says.
const QUOTES_AT_THE_END: [IssueCode; 5] = [
    IssueCode::SystemError,
    IssueCode::QueryUnparsable,
    IssueCode::UnreadableAnswer,
    IssueCode::UnreadableStatement,
    IssueCode::UnreadableLine,
];

/// Where the first quotation begins, how, and with what it ends.
fn first_quote(text: &str) -> Option<(usize, char, char)> {
    const QUOTES: [(char, char); 4] = [('`', '`'), ('"', '"'), ('“', '”'), ('<', '>')];
    let found = QUOTES.into_iter().filter_map(|(open, close)| Some((text.find(open)?, open, close)));
    found.min_by_key(|(at, ..)| *at)
}

/// What is said above a table.
const LOUD: [IssueCode; 8] = [
    IssueCode::WrongGoldFile,
    IssueCode::QuestionsOnly,
    IssueCode::UnstatedGold,
    IssueCode::RepeatsGoldQueries,
    IssueCode::RepeatsGoldTypes,
    IssueCode::RepeatsGoldAnswers,
    IssueCode::AnswersCut,
    IssueCode::AnswersOfTwoKinds,
];

macro_rules! issue_codes {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal, $severity:ident;)*) => {
        /// The kinds of issues. Names are those of the code list `code:issue` in the ontology.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum IssueCode { $($(#[doc = $doc])* #[serde(rename = $name)] $variant,)* }

        impl IssueCode {
            /// All kinds, for tests that compare them with the ontology.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in the ontology, without `issue-`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The kind with this name.
            pub fn find(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.name() == name)
            }

            /// Whether what it says makes numbers mean something else: reports say it above them.
            pub fn is_loud(self) -> bool {
                LOUD.contains(&self)
            }

            /// How bad issues of this kind are.
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

issue_codes! {
    /// Two questions of the file have the same id.
    DuplicateId = "duplicate-id", Warning;
    /// A question has no id.
    MissingId = "missing-id", Warning;
    /// A question of the gold file is not in the submission.
    QuestionNotSubmitted = "question-not-submitted", Warning;
    /// The loader of the evaluation leaves out a question of the gold file.
    QuestionNotLoaded = "question-not-loaded", Warning;
    /// The loader of the evaluation changes the text or the answers of a question.
    QuestionChanged = "question-changed", Note;
    /// A question of the submission is not in the gold file; its answers do not count.
    QuestionNotInGold = "question-not-in-gold", Warning;
    /// The submission names another dataset than the gold file; questions of several tasks may share their ids.
    OtherDatasetId = "other-dataset-id", Warning;
    /// The queries of the submission are those of the gold file, letter by letter.
    RepeatsGoldQueries = "repeats-gold-queries", Warning;
    /// The stated answer types of the submission are those of the gold file, whatever it answers.
    RepeatsGoldTypes = "repeats-gold-types", Warning;
    /// The answers of the submission are those of the gold file, item for item in its order.
    RepeatsGoldAnswers = "repeats-gold-answers", Warning;
    /// Answers have exactly a round number of rows, and none has more.
    AnswersCut = "answers-cut", Warning;
    /// Answers give rows beside a boolean.
    AnswersOfTwoKinds = "answers-of-two-kinds", Warning;
    /// Questions have another text in the submission than in the gold file, under the same id.
    OtherTexts = "other-texts", Warning;
    /// The dataset has texts of questions, and none in the language that was chosen.
    OtherLanguage = "other-language", Warning;
    /// The gold file is probably not the one that the answers are for: other ids, other texts, another dataset.
    WrongGoldFile = "wrong-gold-file", Error;
    /// No field of the file is known as answers, and most questions have fields that the format does not know.
    QuestionsOnly = "questions-only", Error;
    /// Gold answers that nobody states, or that cannot be read, count as empty.
    UnstatedGold = "unstated-gold", Warning;
    /// An entry of the list of questions is no question at all.
    NotAQuestion = "not-a-question", Error;
    /// The answer type is none of the five of QALD.
    UnknownAnswerType = "unknown-answer-type", Warning;
    /// A value that must not be null is null.
    NullValue = "null-value", Warning;
    /// A value has another JSON or XML type than the format says.
    WrongType = "wrong-type", Warning;
    /// A part of an answer cannot be read; the rest of the question is kept.
    UnreadableAnswer = "unreadable-answer", Error;
    /// A value that the file calls an IRI is none.
    InvalidIri = "invalid-iri", Warning;
    /// An IRI stands in angle brackets; they are removed.
    BracketedIri = "bracketed-iri", Note;
    /// The name of a variable stands in quotes; they are removed.
    QuotedVariable = "quoted-variable", Note;
    /// A row binds a variable that the head does not name.
    UndeclaredVariable = "undeclared-variable", Note;
    /// A term kind that the SPARQL results format does not have (`number`, `text`, `list`).
    UnknownTermKind = "unknown-term-kind", Note;
    /// A datatype that is no IRI; the value is read as a plain literal.
    InvalidDatatype = "invalid-datatype", Warning;
    /// A language tag that is none.
    InvalidLanguage = "invalid-language", Warning;
    /// A query without text.
    EmptyQuery = "empty-query", Note;
    /// A question without text.
    MissingText = "missing-text", Note;
    /// A key, attribute or element that the format does not have; no rule reads it.
    UnknownField = "unknown-field", Note;
    /// The file is a gold standard and a submission at once; one of them is read.
    OtherSide = "other-side", Note;
    /// A key occurs again in the same object, or an element that is single; one of the two counts.
    DuplicateKey = "duplicate-key", Warning;
    /// The XML breaks a rule of well-formedness that a reader can repair.
    NotWellFormed = "not-well-formed", Warning;
    /// A byte order mark at the start of the file.
    ByteOrderMark = "byte-order-mark", Note;
    /// A comment stands inside the answers; its content does not count.
    CommentInAnswers = "comment-in-answers", Warning;
    /// The flag of the question is neither true nor false.
    OddFlag = "odd-flag", Note;
    /// A confidence, time, label, score or row that is no number.
    NotANumber = "not-a-number", Warning;
    /// The system reported an error for this question.
    SystemError = "system-error", Warning;
    /// The file has the words of a gold standard where answers of a system are expected, or the other way round.
    FilesSwapped = "files-swapped", Warning;
    /// The file has no question at all; as a submission it answers nothing.
    NoQuestions = "no-questions", Error;
    /// No question of the gold file has an answer: every gold answer set is empty.
    NoGoldAnswers = "no-gold-answers", Warning;
    /// An answer has rows and a boolean; the rows count, except in profiles that count all values.
    BooleanBesideRows = "boolean-beside-rows", Warning;
    /// A line of a link or knowledge base file cannot be read.
    UnreadableStatement = "unreadable-statement", Error;
    /// A statement of a link file that is no `owl:sameAs` between two IRIs; it is not used.
    NotALink = "not-a-link", Note;
    /// A label without a visible character; it names nothing.
    EmptyLabel = "empty-label", Note;
    /// Links put far too many resources into one cluster.
    LargeCluster = "large-cluster", Warning;
    /// Links connect two resources that one knowledge base keeps apart.
    TwoOfOneKb = "two-of-one-kb", Warning;
    /// A SPARQL query cannot be read; experiment types made of queries leave the question out.
    QueryUnparsable = "query-unparsable", Warning;
    /// A query is larger than this program reads, and may be SPARQL; it is treated like one that cannot be read.
    QueryTooLarge = "query-too-large", Warning;
    /// The file is neither UTF-8 nor says what it is in; its encoding was guessed.
    EncodingGuessed = "encoding-guessed", Warning;
    /// The file is not in UTF-8, but in the encoding that it declares or that the user names.
    EncodingDeclared = "encoding-declared", Note;
    /// A text, query or answer has the character U+FFFD: what stood there was lost before the file was written.
    ReplacementCharacter = "replacement-character", Warning;
    /// The answers are of another type than the file states.
    AnswerTypeContradicted = "answer-type-contradicted", Warning;
    /// The same row stands twice in an answer.
    RepeatedAnswer = "repeated-answer", Note;
    /// The head names a variable that no row binds.
    UnusedVariable = "unused-variable", Note;
    /// Some questions of the file have no answers.
    WithoutAnswers = "without-answers", Note;
    /// An IRI that was probably damaged on its way into the file.
    SuspiciousIri = "suspicious-iri", Warning;
    /// A text whose UTF-8 bytes were read as Latin-1.
    Mojibake = "mojibake", Warning;
    /// A text that holds an HTML entity where its character should stand.
    EscapedEntity = "escaped-entity", Warning;
    /// A question of a sibling file asks something else; its query is not taken.
    OtherQuestion = "other-question", Warning;
    /// A query declares a well-known prefix for another namespace.
    OddPrefix = "odd-prefix", Warning;
    /// The file is known as a damaged copy of another.
    DamagedCopy = "damaged-copy", Warning;
    /// A line of a text file that its format does not have; it is kept and not used.
    UnreadableLine = "unreadable-line", Error;
    /// The lines of a question are not where the format has them: not together, in another order, under another id.
    OutOfOrder = "out-of-order", Warning;
    /// A candidate occurs again for the same question.
    DuplicateCandidate = "duplicate-candidate", Warning;
    /// A member of a folder or archive of results that is no result file; it is not read.
    IgnoredFile = "ignored-file", Note;
    /// RDF that states questions and answers but no record of a file: order and spelling may differ.
    OnlyPublished = "only-published", Note;
    /// Questions with a query whose answers would count; no knowledge base was named on which the queries can be run.
    NotExecuted = "not-executed", Warning;
    /// A confidence that is missing, or no number from 0 to 1, where measures of confidence are asked for.
    OddConfidence = "odd-confidence", Warning;
    /// Assessors give an answer different verdicts; the majority counts, in a tie the more severe verdict.
    AssessorsDisagree = "assessors-disagree", Warning;
    /// Nobody assessed an answer of the system; the known answers judge it.
    NotAssessed = "not-assessed", Warning;
    /// A submission gives answers that are not those of its query, and those of the query count.
    AnswersNotOfQuery = "answers-not-of-query", Warning;
    /// The data do not decide what the query of a system answers; another program may answer otherwise.
    AnswersUndecided = "answers-undecided", Warning;
    /// A query was read after a repair, by a rule that has a name; the text of the file stays.
    QueryRepaired = "query-repaired", Note;
    /// The file is a damaged copy; the query is that of another file with the same questions.
    QueryFromSibling = "query-from-sibling", Note;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_without_its_values_has_none_of_them() {
        let without = |code, message: &str| Issue::new(code, &Place::default(), message).without_values();
        for (message, expected) in [
            ("the IRI `http://e/a b` is none", "the IRI `…` is none"),
            ("`a` and `b`; `--kb NAME` runs it", "`…` and `…`; `--kb NAME` runs it"),
            ("<http://e/a> is \"x\", no “y”", "<…> is \"…\", no “…”"),
            ("3 of 4 questions: none `open", "3 of 4 questions: none `open"),
        ] {
            assert_eq!(without(IssueCode::InvalidIri, message), expected);
        }
        let message = "the system reported an error: Berlin";
        assert_eq!(without(IssueCode::SystemError, message), "the system reported an error: …");
        assert_eq!(without(IssueCode::InvalidIri, message), message);
    }
}
