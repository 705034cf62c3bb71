//! What a mock of a system replies, by the description of its protocol: replies written the other way round.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::base::error::{Error, Result};
use crate::systems::description::{Driver, Protocol, ReplyKind};
use crate::systems::mock::book::BookEntry;
use crate::systems::rules::QueryRule;
use crate::systems::template::Values;

/// What is sent back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MockReply {
    /// The status of HTTP.
    pub status: u16,
    /// The media type.
    pub media_type: &'static str,
    /// The body.
    pub body: String,
}

const JSON: &str = "application/json";

impl MockReply {
    /// A reply in JSON.
    pub fn json(status: u16, body: &Value) -> Self {
        Self { status, media_type: JSON, body: body.to_string() }
    }
}

impl Protocol {
    /// An error where no mock can speak the protocol.
    ///
    /// # Errors
    /// Where replies are web pages, or a place in them cannot be filled.
    pub fn can_be_spoken(&self) -> Result<()> {
        let cannot = |why: &str| Err(Error::input(format!("nobody here can speak `{}`: {why}", self.name)));
        if self.reply.kind == ReplyKind::Page {
            return cannot("its replies are web pages");
        }
        let entry = BookEntry {
            query: Some("ASK {}".to_owned()),
            values: vec![Value::from("a")],
            results: json!({"boolean": true}),
            ..BookEntry::default()
        };
        if self.driver != Driver::Qanary && self.reply_body(&entry, &Values::default()).is_none() {
            return cannot("a place of its replies cannot be filled");
        }
        Ok(())
    }

    /// The reply with an answer.
    pub fn says(&self, entry: &BookEntry, asked: &Values) -> MockReply {
        if let Some((status, message)) = &entry.error {
            return self.says_failure(*status, message);
        }
        match self.reply_body(entry, asked) {
            Some(body) => MockReply::json(200, &body),
            None => self.says_failure(500, "the answer cannot be said in this protocol"),
        }
    }

    /// The reply of a system that failed.
    pub fn says_failure(&self, status: u16, message: &str) -> MockReply {
        let mut body = Value::Null;
        let said = self.failures.message_at.as_ref();
        let is_said = said.is_some_and(|at| at.put(&mut body, &[Value::from(message)]));
        if !is_said || body.is_null() {
            body = json!({ "error": message });
        }
        MockReply::json(status, &body)
    }

    fn reply_body(&self, entry: &BookEntry, asked: &Values) -> Option<Value> {
        let reply = &self.reply;
        if reply.kind == ReplyKind::Recognised {
            return Some(json!({ "questions": [entry.entry] }));
        }
        let mut body = Value::Null;
        let mut all = true;
        if let Some(at) = &reply.answers_at {
            let results = match &entry.results {
                Value::Null => json!({"head": {"vars": []}, "results": {"bindings": []}}),
                known => known.clone(),
            };
            let values =
                if reply.kind == ReplyKind::SparqlResults { vec![results] } else { entry.values.clone() };
            all &= at.put(&mut body, &values);
        }
        if let Some(at) = &reply.query_at {
            let text = entry.query.clone().unwrap_or_default();
            let is_packed = reply.query_rules.contains(&QueryRule::Base64);
            let text = if is_packed { BASE64_STANDARD.encode(text) } else { text };
            // Where answers and query stand together, no answers mean that nothing stands there.
            let has_place = reply.kind == ReplyKind::Query || !text.is_empty();
            if has_place {
                all &= at.put(&mut body, &[Value::from(text)]);
            }
        }
        if let Some((at, fine)) = &self.failures.state {
            all &= at.put(
                &mut body,
                &fine.iter().take(1).map(|word| Value::from(word.as_str())).collect::<Vec<_>>(),
            );
        }
        if let Some((at, fine)) = &self.failures.stop {
            all &= at.put(
                &mut body,
                &fine.iter().take(1).map(|word| Value::from(word.as_str())).collect::<Vec<_>>(),
            );
        }
        if let (Some(at), Some(least)) = (&reply.confidence_at, reply.confidence_above) {
            let sure = Value::from(f64::midpoint(1.0, least));
            all &= entry.values.is_empty() || at.put(&mut body, &vec![sure; entry.values.len()]);
        }
        for (at, name) in [(&reply.echo_at, "dataset"), (&reply.echo_question_at, "question")] {
            if let (Some(at), Some(value)) = (at, asked.get(name)) {
                all &= at.put(&mut body, &[Value::from(value)]);
            }
        }
        if let Driver::Poll { done_at, .. } = &self.driver
            && done_at.find(&body).is_empty()
        {
            all &= done_at.put(&mut body, &[Value::from(true)]);
        }
        all.then_some(body)
    }

    /// The reply to a first call that begins a run.
    pub fn says_run(&self, run: &str) -> Option<MockReply> {
        match &self.driver {
            Driver::Poll { run_at, .. } => {
                let mut body = Value::Null;
                run_at.put(&mut body, &[Value::from(run)]).then(|| MockReply::json(201, &body))
            }
            Driver::Qanary => {
                let graph = format!("urn:graph:{run}");
                let body = json!({"endpoint": "http://localhost/sparql", "inGraph": graph, "outGraph": graph, "question": graph});
                Some(MockReply::json(201, &body))
            }
            Driver::Once | Driver::ThenQuery(_) | Driver::Form { .. } => None,
        }
    }

    /// What the triple store of a pipeline says: its queries name the kind of annotation and the graph.
    pub fn says_annotations(entry: Option<&BookEntry>, query: &str) -> MockReply {
        let row = |text: String| json!({"found": {"type": "literal", "value": text}, "index": {"type": "literal", "value": "0"}});
        let rows = match entry {
            Some(entry) if query.contains("AnnotationOfAnswerSPARQL") => {
                entry.query.iter().cloned().map(row).collect()
            }
            Some(entry) if !entry.results.is_null() => vec![row(entry.results.to_string())],
            _ => Vec::new(),
        };
        MockReply::json(200, &json!({"head": {"vars": ["found", "index"]}, "results": {"bindings": rows}}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::reply::{RawReply, Read};

    fn entry() -> BookEntry {
        let results = json!({"head": {"vars": ["x"]}, "results": {"bindings": [
            {"x": {"type": "uri", "value": "http://www.wikidata.org/entity/Q1"}},
            {"x": {"type": "uri", "value": "http://www.wikidata.org/entity/Q2"}}]}});
        BookEntry {
            key: "1".to_owned(),
            entry: json!({"id": "1", "question": [{"language": "en", "string": "Who?"}],
                "query": {"sparql": "ASK { ?a ?b ?c }"}, "answers": [results.clone()]}),
            results,
            values: ["Q1", "Q2"]
                .map(|id| Value::from(format!("http://www.wikidata.org/entity/{id}")))
                .to_vec(),
            query: Some("ASK { ?a ?b ?c }".to_owned()),
            error: None,
        }
    }

    /// Each protocol reads what its mock says: the same answers, the same query.
    #[test]
    fn what_is_said_is_read() {
        let asked = Values::default().with("question", "Who?").with("dataset", "http://d.example/");
        let mut spoken = 0;
        for protocol in
            Protocol::all().iter().filter(|one| one.can_be_spoken().is_ok() && one.driver != Driver::Qanary)
        {
            spoken += 1;
            let said = protocol.says(&entry(), &asked);
            let raw = RawReply { status: said.status, headers: Vec::new(), body: said.body.into_bytes() };
            let read = protocol.read_reply(&raw, &asked);
            let Ok(Read::Done(reply)) = read else { panic!("{}: {read:?}", protocol.name) };
            let cells = reply.answers.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells);
            let values: Vec<&str> = cells.map(|cell| cell.value.as_str()).collect();
            if protocol.reply.kind != ReplyKind::Query {
                let expected: &[&str] =
                    &["http://www.wikidata.org/entity/Q1", "http://www.wikidata.org/entity/Q2"];
                assert_eq!(values, expected, "{}", protocol.name);
            }
            if protocol.reply.query_at.is_some() {
                assert_eq!(reply.query.as_deref(), Some("ASK { ?a ?b ?c }"), "{}", protocol.name);
            }
            let failed = protocol.says_failure(500, "broken");
            let raw = RawReply { status: 500, headers: Vec::new(), body: failed.body.into_bytes() };
            assert!(
                protocol.read_reply(&raw, &asked).unwrap_err().message.contains("broken"),
                "{}",
                protocol.name
            );
        }
        assert!(spoken > 20, "{spoken}");
        assert!(Protocol::named("qakis").unwrap().can_be_spoken().is_err());
    }
}
