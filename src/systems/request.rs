//! A request for a question, made from the description of a protocol.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Method, Url};
use serde_json::Value;

use crate::base::error::{Error, Result};
use crate::systems::description::{BodyTemplate, FormEncoding, Protocol, RequestTemplate};
use crate::systems::template::{Template, Values, is_of_one_line};

/// A request, ready to be sent or to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemRequest {
    /// GET or POST.
    pub method: Method,
    /// The address, without a user.
    pub url: Url,
    /// The headers that the protocol asks for, in order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// What stays as it is in a form: RFC 3986 `unreserved`.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The headers of GERBIL (gerbil.md 5.1.2, systems.md 1.6).
const AS_GERBIL: [(&str, &str); 3] = [
    ("Content-Type", "application/x-www-form-urlencoded; charset=ISO-8859-1;charset=UTF-8"),
    ("Accept", "application/json; charset=UTF-8"),
    ("Accept-Charset", "UTF-8"),
];

impl SystemRequest {
    /// The first request for a question.
    ///
    /// # Errors
    /// Where a place of the templates has no value; where path and parameters make no address; where a header would have
    /// control characters.
    pub fn first(protocol: &Protocol, address: &Url, values: &Values) -> Result<Self> {
        Self::of(&protocol.request, &protocol.request.parameters, address, values)
    }

    /// A request like the first with other parameters.
    ///
    /// # Errors
    /// As [`Self::first`].
    pub fn with_parameters(
        protocol: &Protocol,
        parameters: &[(Template, Template)],
        address: &Url,
        values: &Values,
    ) -> Result<Self> {
        Self::of(&protocol.request, parameters, address, values)
    }

    /// A request for what stands at a path.
    ///
    /// # Errors
    /// As [`Self::first`].
    pub fn get(protocol: &Protocol, path: &Template, address: &Url, values: &Values) -> Result<Self> {
        let headers = headers(&protocol.request, values)?;
        Ok(Self { method: Method::GET, url: below(address, &path.fill(values))?, headers, body: Vec::new() })
    }

    fn of(
        template: &RequestTemplate,
        parameters: &[(Template, Template)],
        address: &Url,
        values: &Values,
    ) -> Result<Self> {
        let json = match &template.body {
            BodyTemplate::Json(json) => Some(filled(json, values).to_string()),
            BodyTemplate::None | BodyTemplate::Form(_) => None,
        };
        let with_json = json.iter().fold(values.clone(), |values, json| values.with("json", json.clone()));
        let mut url = below(address, &template.path.fill(values))?;
        if !parameters.is_empty() {
            let own = encoded(parameters, &with_json, template.encoding);
            let query = url.query().filter(|query| !query.is_empty());
            let query = query.map_or_else(|| own.clone(), |known| format!("{known}&{own}"));
            url.set_query(Some(&query));
        }
        let mut headers = headers(template, values)?;
        let body = match (&template.body, json) {
            (BodyTemplate::Form(fields), _) => {
                if template.encoding != FormEncoding::AsGerbil {
                    let form = "application/x-www-form-urlencoded; charset=UTF-8";
                    headers.insert(0, ("Content-Type".to_owned(), form.to_owned()));
                }
                encoded(fields, values, template.encoding).into_bytes()
            }
            (_, Some(json)) if !template.has_json_parameter() => {
                headers.insert(0, ("Content-Type".to_owned(), "application/json; charset=UTF-8".to_owned()));
                json.into_bytes()
            }
            _ => Vec::new(),
        };
        Ok(Self { method: template.method.clone(), url, headers, body })
    }

    /// The request as HTTP/1.1 writes it, for records and people: the line, the headers, the body.
    pub fn as_http(&self) -> Vec<u8> {
        let target = match self.url.query() {
            Some(query) => format!("{}?{query}", self.url.path()),
            None => self.url.path().to_owned(),
        };
        let host = self.url.authority();
        let fields = header_lines(&self.headers);
        let has_body = !self.body.is_empty() || self.method == Method::POST;
        let length =
            if has_body { format!("Content-Length: {}\r\n", self.body.len()) } else { String::new() };
        let first = format!("{} {target} HTTP/1.1\r\nHost: {host}\r\n", self.method);
        let mut bytes = format!("{first}{fields}{length}\r\n").into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }
}

impl Protocol {
    /// Checks what values make of headers, before anything is asked.
    ///
    /// # Errors
    /// Where a header would hold a line break or another control character.
    pub fn check_headers(&self, values: &Values) -> Result<()> {
        headers(&self.request, values).map(drop)
    }
}

/// Headers as HTTP/1.1 writes them.
pub(crate) fn header_lines(headers: &[(String, String)]) -> String {
    headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<Vec<_>>().concat()
}

fn headers(template: &RequestTemplate, values: &Values) -> Result<Vec<(String, String)>> {
    let legacy: &[(&str, &str)] = if template.encoding == FormEncoding::AsGerbil { &AS_GERBIL } else { &[] };
    let legacy = legacy.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let accept = template.accept.iter().filter(|_| template.encoding != FormEncoding::AsGerbil);
    let accept = accept.map(|types| ("Accept".to_owned(), types.clone()));
    let further = template.headers.iter().map(|(name, value)| (name.clone(), value.fill(values)));
    let all: Vec<(String, String)> = legacy.chain(accept).chain(further).collect();
    match all.iter().find(|(_, value)| !is_of_one_line(value)) {
        None => Ok(all),
        // The value may be a secret.
        Some((name, _)) => Err(Error::input(format!("what is filled into the header `{name}` is no header"))
            .allowed("values without line breaks and other control characters")),
    }
}

/// An address below another: the path is added, also where the address has parameters.
fn below(address: &Url, path: &str) -> Result<Url> {
    let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    let mut url = address.clone();
    if !path.is_empty() {
        let whole = format!("{}{path}", address.path().trim_end_matches('/'));
        url.set_path(&whole);
    }
    if let Some(query) = query {
        url.set_query(Some(query));
    }
    if url.cannot_be_a_base() {
        return Err(Error::input(format!("`{address}` with `{path}` is no address")));
    }
    Ok(url)
}

fn encoded(fields: &[(Template, Template)], values: &Values, encoding: FormEncoding) -> String {
    let encode = |text: &str| match encoding {
        FormEncoding::Plus => form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>(),
        FormEncoding::Percent => utf8_percent_encode(text, UNRESERVED).to_string(),
        FormEncoding::AsGerbil => text.to_owned(),
    };
    let pairs = fields.iter().flat_map(|(name, value)| {
        let name = encode(&name.fill(values));
        value.fill_each(values).into_iter().map(move |value| format!("{name}={}", encode(&value)))
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// JSON with the places of its texts filled.
fn filled(json: &Value, values: &Values) -> Value {
    match json {
        Value::String(text) => Value::String(Template::parse(text).fill(values)),
        Value::Array(items) => items.iter().map(|item| filled(item, values)).collect(),
        Value::Object(entries) => {
            entries.iter().map(|(key, value)| (key.clone(), filled(value, values))).collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::template::Secrets;

    fn request(protocol: &str, address: &str, values: &Values) -> SystemRequest {
        SystemRequest::first(Protocol::named(protocol).unwrap(), &Url::parse(address).unwrap(), values)
            .unwrap()
    }

    fn values() -> Values {
        Values::default().with("question", "50% of R&D + \"Köln\"?").with("language", "de")
    }

    #[test]
    fn forms_are_encoded_and_json_is_escaped() {
        let sent = request("gerbil", "http://a.example/qa", &values());
        assert_eq!(sent.url.as_str(), "http://a.example/qa");
        assert_eq!(
            String::from_utf8(sent.body).unwrap(),
            "query=50%25+of+R%26D+%2B+%22K%C3%B6ln%22%3F&lang=de"
        );
        let legacy = request("gerbil-legacy", "http://a.example/qa", &values());
        assert_eq!(String::from_utf8(legacy.body).unwrap(), "query=50% of R&D + \"Köln\"?&lang=de");
        let json = request("deeppavlov", "http://a.example:5000", &values());
        assert_eq!(json.url.as_str(), "http://a.example:5000/model");
        assert_eq!(String::from_utf8(json.body).unwrap(), r#"{"x":["50% of R&D + \"Köln\"?"]}"#);
    }

    #[test]
    fn parameters_follow_those_of_the_address() {
        let values = values().with("dataset", "https://d.example/");
        let sent = request("text2sparql", "https://a.example/t2s?team=1", &values);
        assert!(
            sent.url.as_str().starts_with("https://a.example/t2s?team=1&dataset=https%3A%2F%2Fd.example%2F&")
        );
        assert!(sent.body.is_empty());
    }

    #[test]
    fn values_with_line_breaks_make_no_headers() {
        let protocol = Protocol::named("openai").unwrap();
        let key = |key: &str| values().with("env:OPENAI_API_KEY", key).with_secrets(Secrets::Sent);
        assert!(protocol.check_headers(&key("sk-1")).is_ok());
        for wrong in ["sk-1\r\nX-Evil: 1", "sk-1\n", "sk-\u{1b}[31m1"] {
            let error = protocol.check_headers(&key(wrong)).unwrap_err().to_string();
            assert!(error.contains("header `Authorization`") && !error.contains("sk-"), "{error}");
            let address = Url::parse("http://a.example/").unwrap();
            assert!(SystemRequest::first(protocol, &address, &key(wrong)).is_err());
        }
    }

    #[test]
    fn secrets_are_not_in_what_is_kept() {
        let values = values().with("env:OPENAI_API_KEY", "sk-1").with("model", "m").with("instruction", "i");
        let kept = request("openai", "https://a.example/v1", &values).as_http();
        let kept = String::from_utf8(kept).unwrap();
        assert!(kept.starts_with("POST /v1/chat/completions HTTP/1.1\r\nHost: a.example\r\n"), "{kept}");
        assert!(kept.contains("Authorization: Bearer {env:OPENAI_API_KEY}\r\n"), "{kept}");
        let sent = request("openai", "https://a.example/v1", &values.with_secrets(Secrets::Sent)).as_http();
        assert!(String::from_utf8(sent).unwrap().contains("Bearer sk-1\r\n"));
    }
}
