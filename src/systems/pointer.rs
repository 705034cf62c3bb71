//! Where something is in a JSON reply: a JSON Pointer (RFC 6901) with steps that mean several places.
//!
//! | step | means |
//! |---|---|
//! | `name`, `3` | the member of an object, of an array |
//! | `*` | each member of an array or object |
//! | `+` | each member of an array, or what is no array |
//! | `#` | the keys of an object |
//! | `2..` | the members of an array from this one on |
//! | `[key=value]` | the members that have this value (`[1. module=QGM]`) |
//! | `[path?]` | the members in which a pointer finds something (`[4. output/message?]`) |

use std::borrow::Cow;

use serde_json::Value;

use crate::base::error::{Error, Result};

/// What is allowed, for errors.
const ALLOWED: &str = "nothing, or steps such as /answers/*/value: a name, a number, `*`, `+`, `#`, `2..`, `[key=value]`, `[path?]`";

/// Places in a reply: alternatives, of which the first that finds something counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointers(Vec<Pointer>);

/// A place, or several of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer(Vec<PointerStep>);

/// A step of a pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PointerStep {
    /// The member with a name or a number.
    Member(String),
    /// Each member.
    Each,
    /// Each member of an array, or what is none.
    OneOrEach,
    /// The keys of an object.
    Keys,
    /// The members from one on.
    From(usize),
    /// The members that have a value.
    Where(String, String),
    /// The members in which something is found.
    Having(Pointer),
}

/// What a pointer found: a part of the reply, or the key of an object.
pub type Found<'v> = Cow<'v, Value>;

impl Pointers {
    /// Reads alternatives, separated by ` | `.
    ///
    /// # Errors
    /// Where one of them is no pointer.
    pub fn parse(text: &str) -> Result<Self> {
        text.split(" | ").map(|one| Pointer::parse(one.trim())).collect::<Result<_>>().map(Self)
    }

    /// The alternatives, in the order in which they are looked at.
    pub(crate) fn alternatives(&self) -> &[Pointer] {
        &self.0
    }

    /// What the first alternative that finds something finds.
    pub fn find<'v>(&self, value: &'v Value) -> Vec<Found<'v>> {
        let found = self.0.iter().map(|pointer| pointer.find(value));
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The first text, number or boolean that is found, as text.
    pub fn text(&self, value: &Value) -> Option<String> {
        let texts = |pointer: &Pointer| pointer.find(value).iter().find_map(|found| scalar(found));
        self.0.iter().find_map(texts)
    }

    /// Whether there is a place for what is looked for, be it empty: all steps but those that go through members lead
    /// somewhere.
    pub fn has_place(&self, value: &Value) -> bool {
        self.0.iter().any(|pointer| {
            let plain = pointer.0.iter().take_while(|step| matches!(step, PointerStep::Member(_)));
            let place = Pointer(plain.cloned().collect());
            !place.0.is_empty() && !place.find(value).is_empty()
        })
    }
}

impl Pointer {
    /// Reads a pointer.
    ///
    /// # Errors
    /// Where it does not begin with `/`, or a bracket is not closed.
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = || Error::input(format!("`{text}` is no place in a reply")).allowed(ALLOWED);
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let step = rest.strip_prefix('/').ok_or_else(wrong)?;
            let end = if let Some(inside) = step.strip_prefix('[') {
                inside.find(']').ok_or_else(wrong)? + 2
            } else {
                step.find('/').unwrap_or(step.len())
            };
            steps.push(PointerStep::parse(&step[..end]).map_err(|_| wrong())?);
            rest = &step[end..];
        }
        Ok(Self(steps))
    }

    /// Its steps.
    pub(crate) fn steps(&self) -> &[PointerStep] {
        &self.0
    }

    /// What is there, in order.
    pub fn find<'v>(&self, value: &'v Value) -> Vec<Found<'v>> {
        let mut found = vec![Cow::Borrowed(value)];
        for step in &self.0 {
            found = found.into_iter().flat_map(|value| step.take(&value)).collect();
        }
        found
    }
}

impl PointerStep {
    fn parse(text: &str) -> Result<Self> {
        if let Some(inside) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            if let Some(path) = inside.strip_suffix('?') {
                return Pointer::parse(&format!("/{path}")).map(Self::Having);
            }
            let (key, value) = inside.split_once('=').ok_or_else(|| Error::input("no condition"))?;
            return Ok(Self::Where(key.to_owned(), value.to_owned()));
        }
        Ok(match text {
            "*" => Self::Each,
            "+" => Self::OneOrEach,
            "#" => Self::Keys,
            _ if text.strip_suffix("..").is_some_and(|from| from.parse::<usize>().is_ok()) => {
                Self::From(text.trim_end_matches('.').parse().unwrap_or_default())
            }
            _ => Self::Member(text.replace("~1", "/").replace("~0", "~")),
        })
    }

    fn take<'v>(&self, value: &Found<'v>) -> Vec<Found<'v>> {
        match value {
            Cow::Borrowed(value) => self.of(value),
            // The key of an object has no members.
            Cow::Owned(_) => Vec::new(),
        }
    }

    fn of<'v>(&self, value: &'v Value) -> Vec<Found<'v>> {
        let members = || -> Vec<&'v Value> {
            match value {
                Value::Array(items) => items.iter().collect(),
                Value::Object(entries) => entries.values().collect(),
                _ => Vec::new(),
            }
        };
        let borrowed = |found: Vec<&'v Value>| found.into_iter().map(Cow::Borrowed).collect();
        match self {
            Self::Member(name) => borrowed(member(value, name).into_iter().collect()),
            Self::OneOrEach if !value.is_array() => vec![Cow::Borrowed(value)],
            Self::Each | Self::OneOrEach => borrowed(members()),
            Self::Keys => {
                let keys = value.as_object().into_iter().flat_map(serde_json::Map::keys);
                keys.map(|key| Cow::Owned(Value::String(key.clone()))).collect()
            }
            Self::From(from) => borrowed(members().into_iter().skip(*from).collect()),
            Self::Where(key, wanted) => {
                let has = |one: &&Value| member(one, key).and_then(scalar).as_deref() == Some(wanted);
                borrowed(members().into_iter().filter(has).collect())
            }
            Self::Having(pointer) => {
                borrowed(members().into_iter().filter(|one| !pointer.find(one).is_empty()).collect())
            }
        }
    }
}

/// The member with a name or a number.
fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value {
        Value::Object(entries) => entries.get(name),
        Value::Array(items) => items.get(name.parse::<usize>().ok()?),
        _ => None,
    }
}

/// A text, number or boolean as text.
pub fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn found(pointers: &str, value: &Value) -> Vec<Value> {
        Pointers::parse(pointers).unwrap().find(value).into_iter().map(Cow::into_owned).collect()
    }

    #[test]
    fn steps_lead_to_parts() {
        let reply = json!({"answers": [{"IRI": 0.5}, {"B": 0.25}], "a/b": {"c": 1}, "member": {"x": 1}, "none": null});
        assert_eq!(found("", &reply), std::slice::from_ref(&reply));
        assert_eq!(found("/answers/1/B", &reply), [json!(0.25)]);
        assert_eq!(found("/answers/*/#", &reply), [json!("IRI"), json!("B")]);
        assert_eq!(found("/answers/*/*", &reply), [json!(0.5), json!(0.25)]);
        assert_eq!(found("/a~1b/c", &reply), [json!(1)]);
        assert_eq!(found("/member/+/x", &reply), [json!(1)]);
        assert_eq!(found("/answers/+/B", &reply), [json!(0.25)]);
        assert_eq!(found("/none", &reply), [Value::Null]);
        assert_eq!(found("/answers/1../B", &reply), [json!(0.25)]);
        assert_eq!(found("/answers/*/#/deeper", &reply), Vec::<Value>::new());
        assert_eq!(found("/missing | /member/x | /none", &reply), [json!(1)]);
    }

    #[test]
    fn conditions_choose_members() {
        let log = json!([{"1. module": "TGM", "4. output": []},
            {"1. module": "QGM", "4. output": {"message": "no"}}]);
        assert_eq!(found("/[1. module=QGM]/4. output/message", &log), [json!("no")]);
        assert_eq!(found("/[4. output/message?]/1. module", &log), [json!("QGM")]);
        assert_eq!(found("/[x=QGM]", &log), Vec::<Value>::new());
    }

    #[test]
    fn a_place_may_be_there_and_empty() {
        let pointers = Pointers::parse("/answers/*/value | /other").unwrap();
        assert!(pointers.has_place(&json!({"answers": []})));
        assert!(!pointers.has_place(&json!({"error": "no"})));
        assert_eq!(pointers.text(&json!({"answers": [{"value": 3}]})).as_deref(), Some("3"));
    }

    #[test]
    fn what_is_no_pointer_is_refused() {
        for wrong in ["answers", "/a/[b", "/a | b", "/[x]", "/[a=b]c"] {
            let error = Pointers::parse(wrong).unwrap_err().to_string();
            assert!(error.contains("is no place in a reply"), "{wrong}: {error}");
        }
    }
}
