//! Pointers the other way round: a reply in which a pointer finds what was put there.

use serde_json::{Map, Value, json};

use crate::systems::pointer::{PointerStep, Pointers};

impl Pointers {
    /// Puts values where the first alternative that can hold them finds them; whether there is one.
    pub fn put(&self, reply: &mut Value, values: &[Value]) -> bool {
        self.alternatives().iter().any(|pointer| {
            let mut filled = reply.clone();
            let is_put = put(pointer.steps(), &mut filled, values);
            if is_put {
                *reply = filled;
            }
            is_put
        })
    }
}

fn put(steps: &[PointerStep], at: &mut Value, values: &[Value]) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        match values {
            [] => {}
            [one] => *at = one.clone(),
            several => *at = Value::from(several.to_vec()),
        }
        return true;
    };
    match step {
        PointerStep::Member(name) => match name.parse::<usize>() {
            Ok(index) => list(at).is_some_and(|items| put(rest, nth(items, index), values)),
            Err(_) => object(at)
                .is_some_and(|entries| put(rest, entries.entry(name).or_insert(Value::Null), values)),
        },
        PointerStep::Each | PointerStep::OneOrEach => list(at).is_some_and(|items| {
            let numbered = values.iter().enumerate();
            numbered.fold(true, |all, (index, value)| {
                put(rest, nth(items, index), std::slice::from_ref(value)) && all
            })
        }),
        PointerStep::Keys => object(at).is_some_and(|entries| {
            entries.extend(values.iter().filter_map(Value::as_str).map(|key| (key.to_owned(), json!(1))));
            rest.is_empty() && values.iter().all(Value::is_string)
        }),
        PointerStep::From(first) => list(at).is_some_and(|items| {
            (0..*first).for_each(|index| *nth(items, index) = Value::from(""));
            items.extend(values.iter().cloned());
            rest.is_empty()
        }),
        PointerStep::Where(key, value) => list(at).is_some_and(|items| {
            let is_it = |one: &Value| one.get(key).and_then(Value::as_str) == Some(value);
            let known = items.iter().position(is_it);
            let index = known.unwrap_or(items.len());
            let found = nth(items, index);
            if known.is_none() {
                *found = json!({ key: value });
            }
            put(rest, found, values)
        }),
        PointerStep::Having(_) => false,
    }
}

/// The list that stands here, if nothing else does.
fn list(at: &mut Value) -> Option<&mut Vec<Value>> {
    if at.is_null() {
        *at = Value::Array(Vec::new());
    }
    at.as_array_mut()
}

fn object(at: &mut Value) -> Option<&mut Map<String, Value>> {
    if at.is_null() {
        *at = Value::Object(Map::new());
    }
    at.as_object_mut()
}

fn nth(items: &mut Vec<Value>, index: usize) -> &mut Value {
    if items.len() <= index {
        items.resize(index + 1, Value::Null);
    }
    &mut items[index]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::description::Protocol;

    #[test]
    fn what_was_put_is_found() {
        let values = ["http://a/1", "http://a/2"].map(Value::from);
        for protocol in Protocol::all() {
            for (at, own) in
                [(&protocol.reply.answers_at, &values[..]), (&protocol.reply.query_at, &values[..1])]
            {
                let Some(at) =
                    at.as_ref().filter(|at| at.alternatives().iter().all(|one| !one.steps().is_empty()))
                else {
                    continue;
                };
                let mut reply = Value::Null;
                assert!(at.put(&mut reply, own), "{}", protocol.name);
                let found: Vec<Value> =
                    at.find(&reply).into_iter().map(std::borrow::Cow::into_owned).collect();
                let several = [Value::from(own.to_vec())];
                assert!(found == own || found == several, "{}: {reply} {found:?}", protocol.name);
            }
        }
    }

    #[test]
    fn what_cannot_be_put_is_told() {
        let mut reply = json!({"a": 1});
        assert!(!Pointers::parse("/*/b").unwrap().put(&mut reply, &[json!(1)]));
        assert!(!Pointers::parse("/a/b").unwrap().put(&mut reply, &[json!(1)]));
        let having = Pointers::parse("/[b?]").unwrap();
        assert!(!having.put(&mut Value::Null, &[json!(1)]));
    }
}
