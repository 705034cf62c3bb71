//! What a request asks, by the description of its protocol: templates read the other way round.

use serde_json::Value;

use crate::systems::description::{BodyTemplate, Driver, FormEncoding, Protocol};
use crate::systems::template::{Template, Values};

/// A request as a server gets it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncomingRequest {
    /// The path, decoded as it came.
    pub path: String,
    /// What stands behind `?`.
    pub query: String,
    /// The body.
    pub body: Vec<u8>,
}

/// What a request wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// The answer to a question with this text.
    Question(String),
    /// How far a run is.
    Run(String),
    /// What is said in the triple store of a pipeline.
    Sparql(String),
    /// The page with the form.
    Form,
    /// Nothing that the protocol has.
    Nothing,
}

/// The place of the text of a question.
const QUESTION: &str = "question";

impl Protocol {
    /// What a request wants.
    pub fn hears(&self, request: &IncomingRequest) -> Heard {
        if let Driver::Poll { path, .. } = &self.driver {
            let target = match request.query.as_str() {
                "" => request.path.clone(),
                query => format!("{}?{query}", request.path),
            };
            if let Some(run) = taken(path, "run", &target) {
                return Heard::Run(run);
            }
        }
        let body = String::from_utf8_lossy(&request.body);
        if self.driver == Driver::Qanary && request.path.ends_with("/sparql") {
            let field = |text: &str| fields(text).into_iter().find(|(name, _)| name == "query");
            let query = field(&body).or_else(|| field(&request.query));
            return query.map_or(Heard::Nothing, |(_, query)| Heard::Sparql(query));
        }
        let parameters = &self.request.parameters;
        let found = in_fields(parameters, &request.query).or_else(|| match &self.request.body {
            BodyTemplate::Form(form) if self.request.encoding == FormEncoding::AsGerbil => {
                raw(form, &body).or_else(|| in_fields(form, &body))
            }
            BodyTemplate::Form(form) => in_fields(form, &body),
            BodyTemplate::Json(json) if self.request.has_json_parameter() => {
                let sent = fields(&request.query);
                sent.iter().find_map(|(_, text)| in_json(json, &serde_json::from_str(text).ok()?))
            }
            BodyTemplate::Json(json) => in_json(json, &serde_json::from_slice(&request.body).ok()?),
            BodyTemplate::None => None,
        });
        match (found, &self.driver) {
            (Some(question), _) => Heard::Question(question),
            (None, Driver::Form { .. }) => Heard::Form,
            (None, _) => Heard::Nothing,
        }
    }
}

fn fields(text: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

/// The question in the fields of a form.
fn in_fields(templates: &[(Template, Template)], text: &str) -> Option<String> {
    let sent = fields(text);
    templates.iter().find_map(|(name, value)| {
        let name = name.fill(&Values::default());
        let (_, given) = sent.iter().find(|(known, _)| *known == name)?;
        taken(value, QUESTION, given)
    })
}

/// The question in a form that nobody encoded: what stands before the last field that follows it.
fn raw(templates: &[(Template, Template)], body: &str) -> Option<String> {
    let plain = |template: &Template| template.fill(&Values::default());
    let at = templates.iter().position(|(_, value)| value.places().any(|place| place == QUESTION))?;
    let rest = body.split_once(&format!("{}=", plain(&templates[at].0)))?.1;
    let text = match templates.get(at + 1) {
        Some((next, _)) => rest.rsplit_once(&format!("&{}=", plain(next))).map_or(rest, |(text, _)| text),
        None => rest,
    };
    let is_encoded = text.contains('%') || text.contains('+');
    (!is_encoded).then(|| text.to_owned())
}

/// The question in JSON.
fn in_json(template: &Value, sent: &Value) -> Option<String> {
    match (template, sent) {
        (Value::String(text), Value::String(given)) => taken(&Template::parse(text), QUESTION, given),
        (Value::Array(templates), Value::Array(items)) => {
            templates.iter().zip(items).find_map(|(template, item)| in_json(template, item))
        }
        (Value::Object(templates), Value::Object(entries)) => {
            templates.iter().find_map(|(key, template)| in_json(template, entries.get(key)?))
        }
        _ => None,
    }
}

/// What stands in a place, where the rest of a text is that of the template.
fn taken(template: &Template, place: &str, text: &str) -> Option<String> {
    let (before, after) = template.around(place)?;
    let found = text.strip_prefix(before.as_str())?.strip_suffix(after.as_str())?;
    Some(found.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::request::SystemRequest;

    use reqwest::Url;

    /// The request that a protocol makes for a question, as a server gets it.
    fn sent(protocol: &Protocol, question: &str) -> IncomingRequest {
        let address = Url::parse("http://system.example/").unwrap();
        let values: Values = protocol.settings.iter().collect();
        let values = values.with("question", question).with("language", "en").with("state", "s");
        let request = SystemRequest::first(protocol, &address, &values).unwrap();
        IncomingRequest {
            path: request.url.path().to_owned(),
            query: request.url.query().unwrap_or_default().to_owned(),
            body: request.body,
        }
    }

    #[test]
    fn what_is_sent_is_heard() {
        let odd = "Wo \"liegt\" Köln {question}\\ ?";
        for protocol in Protocol::all() {
            let heard = protocol.hears(&sent(protocol, odd));
            assert_eq!(heard, Heard::Question(odd.to_owned()), "{}", protocol.name);
            let question = "50 % of R&D = research + development?";
            if protocol.request.encoding != FormEncoding::AsGerbil {
                let heard = protocol.hears(&sent(protocol, question));
                assert_eq!(heard, Heard::Question(question.to_owned()), "{}", protocol.name);
            }
        }
    }

    #[test]
    fn further_calls_are_heard() {
        let yodaqa = Protocol::named("yodaqa").unwrap();
        let path = |path: &str| IncomingRequest { path: path.to_owned(), ..IncomingRequest::default() };
        assert_eq!(yodaqa.hears(&path("/q/17")), Heard::Run("17".to_owned()));
        let hawk = Protocol::named("hawk-2015").unwrap();
        let status = IncomingRequest { query: "UUID=17".to_owned(), ..path("/status") };
        assert_eq!(hawk.hears(&status), Heard::Run("17".to_owned()));
        let qanary = Protocol::named("qanary").unwrap();
        let sparql = IncomingRequest { body: b"query=ASK+%7B%7D".to_vec(), ..path("/sparql") };
        assert_eq!(qanary.hears(&sparql), Heard::Sparql("ASK {}".to_owned()));
        assert_eq!(Protocol::named("qakis").unwrap().hears(&path("/")), Heard::Form);
        assert_eq!(qanary.hears(&path("/favicon.ico")), Heard::Nothing);
    }
}
