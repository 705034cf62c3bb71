//! What a target cannot hold: the fields of a record that are lost, told by writers and found by comparing.

use indexmap::IndexMap;

use crate::sources::document::{AnswerSet, AnswerState, Cell, CellKind, Question};
use crate::sources::format::context::OUT_OF_SCOPE;

macro_rules! fields {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal;)*) => {
        /// A field of a document or of a question.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Field { $($(#[doc = $doc])* $variant,)* }

        impl Field {
            /// What it is, for people.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

fields! {
    /// The id of the dataset.
    DatasetId = "id of the dataset";
    /// The number of questions.
    Questions = "questions";
    /// The id of a question.
    Id = "ids as written";
    /// Whether the id is a number.
    IdIsNumber = "ids that are numbers and not texts";
    /// Where the question begins.
    Place = "places in the file";
    /// The texts with their languages.
    Texts = "texts of the question";
    /// The language that the id names.
    Language = "languages of the ids";
    /// The keywords with their languages.
    Keywords = "keywords";
    /// The answer type.
    AnswerType = "answer types";
    /// The types of the answer items.
    ItemTypes = "types of the answer items";
    /// The flags.
    Flags = "flags";
    /// The queries and their kinds.
    Queries = "queries";
    /// The languages of the queries.
    QueryLanguage = "languages of queries";
    /// The annotations.
    Annotations = "annotations of the text";
    /// The state of the answers.
    State = "whether answers are empty, absent, unreadable or out of scope";
    /// The number of answer objects.
    Sets = "answer objects beside each other";
    /// The variables of the heads.
    Variables = "variables of the heads";
    /// Booleans.
    Boolean = "booleans";
    /// Whether there is a place for rows.
    HasBindings = "whether answer objects have a place for rows";
    /// Confidences of answer objects.
    Confidence = "confidences";
    /// Which values stand in which row.
    Rows = "rows";
    /// The variables of values.
    Variable = "variables of values";
    /// The kinds of terms.
    Kind = "kinds of terms";
    /// The values.
    Value = "values as written";
    /// The datatypes of values.
    Datatype = "datatypes of values";
    /// The languages of values.
    CellLanguage = "languages of values";
    /// Whether the datatype is named first.
    DatatypeFirst = "datatypes that stand before the value";
    /// What values are called beside.
    Names = "labels and aliases of values";
    /// Kinds of terms that the file does not say and the output must.
    AddedKind = "kinds of terms that the file does not say";
    /// Variables of heads that the file does not have and the output must.
    AddedVariables = "variables of heads that the file does not have";
    /// What is ranked.
    Candidates = "candidates that are ranked";
    /// The error of the system.
    Error = "errors of the system";
    /// The time of the system.
    Time = "response times";
    /// How live systems were asked.
    Asked = "how live systems were asked";
    /// What the format does not know.
    Extras = "fields that the format does not know";
}

impl Field {
    /// Whether it is something that the output says and the file does not.
    pub(crate) fn is_addition(self) -> bool {
        matches!(self, Self::AddedKind | Self::AddedVariables)
    }

    /// Whether it is about the values in rows.
    pub(crate) fn is_in_rows(self) -> bool {
        matches!(
            self,
            Self::Variable
                | Self::Kind
                | Self::Value
                | Self::Datatype
                | Self::CellLanguage
                | Self::DatatypeFirst
                | Self::Names
        )
    }

    /// Whether the question has something in this field that a target without it loses.
    pub(crate) fn is_in(self, question: &Question) -> bool {
        let sets = &question.answers.sets;
        let any_cell = |has: fn(&Cell) -> bool| {
            sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells).any(has)
        };
        match self {
            Self::IdIsNumber => question.id_is_number,
            Self::Texts => !question.texts.is_empty(),
            Self::Language => question.language.is_some(),
            Self::Keywords => !question.keywords.is_empty(),
            Self::AnswerType => question.answer_type.is_some(),
            Self::ItemTypes => !question.answer_item_types.is_empty(),
            Self::Flags => !question.flags.is_empty(),
            Self::Queries => !question.queries.is_empty(),
            Self::QueryLanguage => question.queries.iter().any(|query| query.language.is_some()),
            Self::Annotations => !question.annotations.is_empty(),
            Self::Sets => sets.len() > 1,
            Self::Variables => sets.iter().any(|set| !set.variables.is_empty()),
            Self::Boolean => sets.iter().any(|set| set.boolean.is_some()),
            Self::Confidence => sets.iter().any(|set| set.confidence.is_some()),
            Self::Kind => any_cell(|cell| cell.kind != CellKind::Unknown),
            Self::Datatype => any_cell(|cell| cell.datatype.is_some()),
            Self::CellLanguage => any_cell(|cell| cell.language.is_some()),
            Self::DatatypeFirst => any_cell(|cell| cell.datatype_first),
            Self::Names => any_cell(|cell| !cell.names.is_empty()),
            Self::Candidates => !question.candidates.is_empty(),
            Self::Error => question.error.is_some(),
            Self::Time => question.response_time.is_some(),
            Self::Asked => question.asked.is_some(),
            Self::Extras => !question.extras.is_empty(),
            // nothing of the question is lost by saying more
            Self::AddedKind | Self::AddedVariables => false,
            Self::DatasetId
            | Self::Questions
            | Self::Id
            | Self::Place
            | Self::State
            | Self::HasBindings
            | Self::Rows
            | Self::Variable
            | Self::Value => true,
        }
    }
}

/// Something that a file says and the converted one does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The key of the question; empty for the file as a whole.
    pub place: String,
    /// What it is, for people: a plural without verb, such as `keywords`.
    pub what: &'static str,
    /// The fields of the record that it is in.
    pub fields: Vec<Field>,
}

/// Losses of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossCount {
    /// What is lost.
    pub what: &'static str,
    /// In how many places.
    pub count: usize,
    /// The first of them: the key of a question, or empty for the file as a whole.
    pub first: String,
}

/// Losses by kind, in the order in which they occur.
pub fn kinds(losses: &[Loss]) -> Vec<LossCount> {
    let mut kinds: IndexMap<&'static str, LossCount> = IndexMap::new();
    for loss in losses {
        let new = || LossCount { what: loss.what, count: 0, first: loss.place.clone() };
        kinds.entry(loss.what).or_insert_with(new).count += 1;
    }
    kinds.into_values().collect()
}

/// Collects the losses of a file, each once a question.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    list: Vec<Loss>,
    place: String,
    start: usize,
}

impl Losses {
    /// Losses from now on are of this question.
    pub(crate) fn enter(&mut self, question: &Question) {
        self.place.clone_from(&question.key);
        self.start = self.list.len();
    }

    /// These fields are lost, as `what` says.
    pub(crate) fn tell(&mut self, fields: &[Field], what: &'static str) {
        match self.list[self.start..].iter_mut().find(|loss| loss.what == what) {
            Some(known) => {
                for field in fields {
                    if !known.fields.contains(field) {
                        known.fields.push(*field);
                    }
                }
            }
            None => self.list.push(Loss { place: self.place.clone(), what, fields: fields.to_vec() }),
        }
    }

    /// These fields are lost if the condition holds.
    pub(crate) fn tell_if(&mut self, condition: bool, fields: &[Field], what: &'static str) {
        if condition {
            self.tell(fields, what);
        }
    }

    /// The target has no place for these fields: they are lost where the question has something in them.
    pub(crate) fn not_held(&mut self, question: &Question, fields: &[Field]) {
        for field in fields {
            self.tell_if(field.is_in(question), &[*field], field.name());
        }
    }

    /// All losses, in the order of the questions.
    pub(crate) fn into_list(self) -> Vec<Loss> {
        self.list
    }
}

/// No format keeps a query without text, the marker as a query, and white space around queries.
pub(crate) fn tell_odd_query(text: &str, losses: &mut Losses) {
    let is_odd = text.trim() != text || text.is_empty() || text.eq_ignore_ascii_case(OUT_OF_SCOPE);
    losses.tell_if(
        is_odd,
        &[Field::Queries, Field::QueryLanguage, Field::State],
        "queries without text, or in white space",
    );
}

/// The state that a reader finds.
pub(crate) fn read_state(sets: &[AnswerSet], is_marked: bool, is_there: bool) -> AnswerState {
    if sets.iter().any(|set| set.boolean.is_some() || !set.rows.is_empty()) {
        AnswerState::Given
    } else if is_marked {
        AnswerState::OutOfScope
    } else if is_there {
        AnswerState::Empty
    } else {
        AnswerState::Absent
    }
}
