//! The calls for a question, one after the other, as the driver of the protocol says.

use crate::sources::failure_kind::FailureKind;
use crate::systems::description::Driver;
use crate::systems::dialogue::{Dialogue, outgoing};
use crate::systems::exchange::Transport;
use crate::systems::failure::AskFailure;
use crate::systems::page::PageSelection;
use crate::systems::qanary;
use crate::systems::reply::{RawReply, Read, SystemReply};
use crate::systems::request::SystemRequest;
use crate::systems::template::Values;

/// The most calls for one question: a system that never ends is stopped by the time limit long before.
const MOST_CALLS: usize = 100_000;

impl Dialogue<'_> {
    /// One try.
    ///
    /// # Errors
    /// Where the system cannot be asked, or gives no reply that says something.
    pub fn ask(&self, transport: &mut dyn Transport) -> Result<SystemReply, AskFailure> {
        match &self.protocol.driver {
            Driver::Once => self.once(transport),
            Driver::ThenQuery(parameters) => {
                let mut reply = self.once(transport)?;
                let second = outgoing(self.values, |values| {
                    SystemRequest::with_parameters(self.protocol, parameters, self.address, values)
                })?;
                let received = transport.call(&second)?;
                self.protocol.read_query(&received, &mut reply)?;
                Ok(reply)
            }
            Driver::Poll { path, pause, .. } => {
                let received = transport.call(&self.first()?)?;
                let run = match self.protocol.read_reply(&received, self.values)? {
                    Read::Done(reply) => return Ok(reply),
                    Read::Pending(run) => run.ok_or_else(|| unnamed_run(&received))?,
                };
                let values = self.values.clone().with("run", run);
                let poll = outgoing(&values, |values| {
                    SystemRequest::get(self.protocol, path, self.address, values)
                })?;
                for _ in 0..MOST_CALLS {
                    transport.pause(*pause)?;
                    let received = transport.call(&poll)?;
                    if let Read::Done(reply) = self.protocol.read_reply(&received, &values)? {
                        return Ok(reply);
                    }
                }
                Err(AskFailure::new(FailureKind::Timeout, format!("not done after {MOST_CALLS} calls")))
            }
            Driver::Qanary => qanary::ask(self, transport),
            Driver::Form { state_field } => self.form(state_field, transport),
        }
    }

    fn once(&self, transport: &mut dyn Transport) -> Result<SystemReply, AskFailure> {
        let received = transport.call(&self.first()?)?;
        match self.protocol.read_reply(&received, self.values)? {
            Read::Done(reply) => Ok(reply),
            Read::Pending(_) => {
                Err(AskFailure::new(FailureKind::Shape, "the reply says that it is none yet"))
            }
        }
    }

    /// The page with the form, then the form with what the page wants back.
    fn form(&self, field: &str, transport: &mut dyn Transport) -> Result<SystemReply, AskFailure> {
        let empty = |values: &Values| {
            let mut request = SystemRequest::first(self.protocol, self.address, values)?;
            (request.body, request.headers) = (Vec::new(), Vec::new());
            Ok(request)
        };
        let page = transport.call(&outgoing(self.values, empty)?)?;
        let no_form = |what: String| AskFailure::new(FailureKind::Shape, what);
        let selection = PageSelection::parse(&format!("input[name='{field}'] @value"));
        let selection = selection.map_err(|error| no_form(error.to_string()))?;
        let state = selection.texts(&String::from_utf8_lossy(&page.body))?.into_iter().next();
        let state = state.ok_or_else(|| no_form(format!("the page has no field `{field}`")))?;
        let values = self.values.clone().with("state", state);
        let cookies = cookies(&page);
        let mut filled =
            outgoing(&values, |values| SystemRequest::first(self.protocol, self.address, values))?;
        if !cookies.is_empty() {
            for request in [&mut filled.sent, &mut filled.kept] {
                request.headers.insert(0, ("Cookie".to_owned(), cookies.clone()));
            }
        }
        let received = transport.call(&filled)?;
        match self.protocol.read_reply(&received, &values)? {
            Read::Done(reply) => Ok(reply),
            Read::Pending(_) => Err(no_form("the reply says that it is none yet".to_owned())),
        }
    }
}

fn unnamed_run(received: &RawReply) -> AskFailure {
    let shown = String::from_utf8_lossy(&received.body);
    let shown = crate::base::text::beginning(&shown, 200);
    AskFailure::new(FailureKind::Shape, format!("the reply names no run: {shown}"))
}

/// The cookies that a reply sets, as a request sends them back.
fn cookies(received: &RawReply) -> String {
    let set = received.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("Set-Cookie"));
    let pairs = set.filter_map(|(_, cookie)| cookie.split(';').next().map(str::trim));
    pairs.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::testing::{Script, ask};

    #[test]
    fn a_run_is_asked_for_until_it_is_done() {
        let mut script = Script::of([
            (201, r#"{"id":"7"}"#),
            (200, r#"{"finished":false,"answers":[{"text":"no","confidence":1}]}"#),
            (
                200,
                r#"{"finished":true,"answers":[{"text":"Goethe","confidence":0.9},{"text":"x","confidence":0.7}]}"#,
            ),
        ]);
        let reply = ask("yodaqa", &mut script).unwrap();
        assert_eq!(reply.answers[0].rows.len(), 1);
        assert_eq!(reply.confidences, ["0.9"]);
        assert!(script.asked[0].starts_with("POST /q HTTP/1.1\r\n"), "{:?}", script.asked);
        assert!(script.asked[2].starts_with("GET /q/7 HTTP/1.1\r\n"), "{:?}", script.asked);
        let mut hawk = Script::of([(200, "\"u-1\""), (200, r#"{"answer":[{"URI":"http://a/b"}]}"#)]);
        assert!(ask("hawk-2015", &mut hawk).unwrap().has_answers());
        assert!(hawk.asked[1].starts_with("GET /status?UUID=u-1 HTTP/1.1\r\n"), "{:?}", hawk.asked);
    }

    #[test]
    fn a_second_call_gives_the_query() {
        let mut script =
            Script::of([(200, r#"[{"URI_PARAM":"http://a/b"}]"#), (200, r#"[{"SPARQL_PARAM":"ASK {}"}]"#)]);
        let reply = ask("sina", &mut script).unwrap();
        assert_eq!(reply.query.as_deref(), Some("ASK {}"));
        assert!(
            script.asked[1].starts_with("GET /api/rest/search?q=Who%3F&content=sparql "),
            "{:?}",
            script.asked
        );
    }

    #[test]
    fn a_form_is_sent_with_the_state_of_its_page() {
        let page = "<html><form><input name='javax.faces.ViewState' value='-1:2'/></form></html>";
        let answers =
            "<html><div class='global-presentation-details'><h3><a href='http://a/b'>b</a></h3></div></html>";
        let mut script = Script::of([(200, page), (200, answers)]);
        let reply = ask("qakis", &mut script).unwrap();
        assert_eq!(reply.answers[0].rows[0].cells[0].value, "http://a/b");
        assert!(script.asked[0].ends_with("Content-Length: 0\r\n\r\n"), "{:?}", script.asked);
        assert!(script.asked[1].contains("Cookie: JSESSIONID=A1\r\n"), "{:?}", script.asked);
        assert!(script.asked[1].contains("javax.faces.ViewState=-1%3A2&"), "{:?}", script.asked);
        let mut none = Script::of([(200, "<html></html>")]);
        assert_eq!(ask("qakis", &mut none).unwrap_err().kind, FailureKind::Shape);
    }
}
