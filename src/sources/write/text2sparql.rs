//! TEXT2SPARQL result sets: `{"ck25:1-en": {"text": 1}}`.

use serde_json::{Map, Value, json};

use crate::base::error::{Error, Result};
use crate::sources::document::{Document, Question};
use crate::sources::write::field::Field;
use crate::sources::write::json::state;
use crate::sources::write::loss::Losses;
use crate::sources::write::{Target, Written};

/// TEXT2SPARQL result sets.
pub(crate) static TARGET: Target = Target {
    name: "text2sparql",
    description: "TEXT2SPARQL result sets: the texts of the answers to each question and language",
    ending: None,
    media_type: "application/json",
    read_as: "text2sparql",
    may_be_empty: false,
    is_exact: false,
    write,
};

fn write(document: &Document, _: &str) -> Result<Written> {
    let mut losses = Losses::default();
    let dataset = document.dataset_id.as_deref().map_or_else(|| "dataset".to_owned(), name);
    let ids: Vec<String> = document.questions.iter().map(|question| id(question, &dataset)).collect();
    let first = ids.first().and_then(|id| id.split(':').next());
    losses.tell_if(document.dataset_id.as_deref() != first, &[Field::DatasetId], Field::DatasetId.name());
    let mut file = Map::with_capacity(ids.len());
    for (question, id) in document.questions.iter().zip(ids) {
        losses.enter(question);
        tell_what_is_left_out(question, &id, &mut losses);
        file.insert(unique(&file, id), texts(question, &mut losses));
    }
    let mut bytes = serde_json::to_vec_pretty(&file)
        .map_err(|error| Error::system(format!("the JSON cannot be written: {error}")))?;
    bytes.push(b'\n');
    Ok((bytes, losses.into_list()))
}

/// A name that may stand before the colon.
fn name(text: &str) -> String {
    let name: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    if name.is_empty() { "dataset".to_owned() } else { name }
}

/// The id of a question and its language, made where the id is none.
fn id(question: &Question, dataset: &str) -> String {
    if is_id(&question.id) && question.key == question.id {
        return question.id.clone();
    }
    let is_tag = |tag: &&str| matches!(tag.len(), 2 | 3) && tag.bytes().all(|byte| byte.is_ascii_lowercase());
    let languages = question.language.iter().chain(question.texts.iter().filter_map(|t| t.language.as_ref()));
    let language = languages.map(String::as_str).find(is_tag).unwrap_or("en");
    let number = match question.key.trim_start_matches('/') {
        "" => "~",
        number => number,
    };
    format!("{dataset}:{number}-{language}")
}

/// Whether it is `prefix:number-language`.
fn is_id(id: &str) -> bool {
    let parts =
        id.rsplit_once('-').and_then(|(question, language)| Some((question.split_once(':')?, language)));
    parts.is_some_and(|((prefix, number), language)| {
        let is_language = matches!(language.len(), 2 | 3) && language.bytes().all(|b| b.is_ascii_lowercase());
        is_language && !prefix.is_empty() && !number.is_empty() && !number.starts_with('/')
    })
}

/// Keys are unique; what was cut off an id may have made two of them one.
fn unique(file: &Map<String, Value>, mut id: String) -> String {
    while file.contains_key(&id) {
        id = match id.rsplit_once('-') {
            Some((question, language)) => format!("{question}~-{language}"),
            None => id + "~",
        };
    }
    id
}

fn tell_what_is_left_out(question: &Question, id: &str, losses: &mut Losses) {
    losses.tell_if(
        id != question.id,
        &[Field::Id, Field::Language],
        "ids that are not `prefix:number-language`",
    );
    losses.not_held(
        question,
        &[
            Field::IdIsNumber,
            Field::Texts,
            Field::Keywords,
            Field::AnswerType,
            Field::ItemTypes,
            Field::Queries,
            Field::QueryLanguage,
            Field::Annotations,
            Field::Variables,
            Field::Confidence,
            Field::Kind,
            Field::Datatype,
            Field::CellLanguage,
            Field::DatatypeFirst,
            Field::Candidates,
            Field::Error,
            Field::Time,
            Field::Extras,
        ],
    );
    // the reader knows the questions whose order matters by their ids
    losses.tell(&[Field::Flags], Field::Flags.name());
    let is_other = question.language.as_deref() != id.rsplit_once('-').map(|(_, language)| language);
    losses.tell_if(is_other, &[Field::Language], Field::Language.name());
    losses.tell_if(question.answers.sets.len() > 1, &[Field::Sets, Field::HasBindings], Field::Sets.name());
    losses.tell_if(
        question.answers.sets.is_empty(),
        &[Field::Sets, Field::HasBindings],
        "answers without any object",
    );
}

/// The texts of the answers, or the boolean: true is `{"true": 1}`, false `{"true": 0}`.
fn texts(question: &Question, losses: &mut Losses) -> Value {
    let sets = &question.answers.sets;
    let is_given = state(sets, false, true);
    losses.tell_if(is_given != question.answers.state, &[Field::State], Field::State.name());
    let rows: Vec<_> = sets.iter().flat_map(|set| &set.rows).collect();
    let mut booleans = sets.iter().filter_map(|set| set.boolean);
    let boolean = booleans.next();
    losses.tell_if(booleans.next().is_some(), &[Field::Boolean], "more than one boolean");
    if let Some(value) = boolean.filter(|_| rows.is_empty()) {
        losses.tell_if(
            sets.iter().any(|set| set.has_bindings),
            &[Field::HasBindings],
            Field::HasBindings.name(),
        );
        return json!({ "true": u8::from(value) });
    }
    losses.tell_if(boolean.is_some(), &[Field::Boolean], "booleans beside rows");
    losses.tell_if(
        sets.iter().any(|set| !set.has_bindings),
        &[Field::HasBindings],
        Field::HasBindings.name(),
    );
    losses.tell_if(
        rows.iter().any(|row| row.cells.len() > 1),
        &[Field::Rows],
        "which values stand in one row",
    );
    let mut texts = Map::new();
    for cell in rows.iter().flat_map(|row| &row.cells) {
        losses.tell_if(cell.variable != "text", &[Field::Variable], Field::Variable.name());
        if texts.insert(cell.value.clone(), json!(1)).is_some() {
            losses.tell(&[Field::Rows], "values that occur again");
        }
    }
    // alone, this text is the boolean
    let is_boolean = texts.len() == 1 && texts.contains_key("true");
    losses.tell_if(
        is_boolean,
        &[Field::Rows, Field::Boolean, Field::HasBindings],
        "a text `true` that is no boolean",
    );
    Value::Object(texts)
}
