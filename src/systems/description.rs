//! How a kind of system is asked and how its replies are read: what `ontology/systems.ttl` says of a protocol.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::{Method, Url};
use serde_json::Value;

use crate::base::error::Result;
use crate::profiles::ontology::{Description, Facts};
use crate::systems::page::PageSelection;
use crate::systems::pointer::Pointers;
use crate::systems::rules::{QueryRule, ValueRule};
use crate::systems::stated::StatedProtocol;
use crate::systems::template::{ENVIRONMENT, Template};

/// A protocol.
#[derive(Debug, Clone, PartialEq)]
pub struct Protocol {
    /// Its IRI.
    pub iri: String,
    /// Its short name (`skos:notation`).
    pub name: String,
    /// Its title.
    pub title: String,
    /// What one should know of it.
    pub definition: String,
    /// Where the service is, for those who give no address.
    pub address: Option<Url>,
    /// How the calls follow each other.
    pub driver: Driver,
    /// What is sent.
    pub request: RequestTemplate,
    /// Settings with their values, unless users say otherwise: places of templates.
    pub settings: BTreeMap<String, String>,
    /// What is read.
    pub reply: ReplyDescription,
    /// What is a failure.
    pub failures: Failures,
    /// How patient and how polite one is.
    pub manners: Manners,
    /// All that is said of it, by properties.
    pub statements: Description,
}

/// How the calls follow each other.
#[derive(Debug, Clone, PartialEq)]
pub enum Driver {
    /// One call for a question.
    Once,
    /// A second call like the first, with these parameters, gives the query.
    ThenQuery(Vec<(Template, Template)>),
    /// The first call begins a run, further ones ask whether it is done.
    Poll {
        /// Where the reply to the first call names the run.
        run_at: Pointers,
        /// The path of the further calls; `{run}` is the run.
        path: Template,
        /// What the reply has when the run is done: anything but `false` and `null`.
        done_at: Pointers,
        /// The wait before each further call.
        pause: Duration,
    },
    /// A QANARY pipeline: the first call runs it, two queries at its triple store ask for what it found.
    Qanary,
    /// A JSF page: an empty call gives cookie and view state, the second sends the form with them.
    Form {
        /// The name of the field with the view state.
        state_field: String,
    },
}

/// What is sent for a question.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestTemplate {
    /// GET or POST.
    pub method: Method,
    /// Below the address that users give.
    pub path: Template,
    /// Parameters of the address, in order.
    pub parameters: Vec<(Template, Template)>,
    /// How names and values of parameters and forms are encoded.
    pub encoding: FormEncoding,
    /// The body.
    pub body: BodyTemplate,
    /// The templates within JSON.
    pub within_json: Vec<Template>,
    /// Further headers.
    pub headers: Vec<(String, Template)>,
    /// The media types of the reply that are asked for.
    pub accept: Option<String>,
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum BodyTemplate {
    /// None.
    None,
    /// A form, in order.
    Form(Vec<(Template, Template)>),
    /// JSON, whose texts are templates.
    Json(Value),
}

/// How a form is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormEncoding {
    /// As the URL standard says: `+` for a space.
    Plus,
    /// With `%20` for a space.
    Percent,
    /// As GERBIL does: nothing is encoded, and the header names two charsets (gerbil.md 5.1.2).
    AsGerbil,
}

/// How a reply is read.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplyDescription {
    /// What kind of reply it is.
    pub kind: ReplyKind,
    /// Where the answers are.
    pub answers_at: Option<Pointers>,
    /// Where the query is.
    pub query_at: Option<Pointers>,
    /// Where the confidences of the answers are: one for all, or one for each.
    pub confidence_at: Option<Pointers>,
    /// Answers count only above this confidence.
    pub confidence_above: Option<f64>,
    /// Where the names of answers are.
    pub label_at: Option<Pointers>,
    /// Where the reply repeats the dataset that was asked.
    pub echo_at: Option<Pointers>,
    /// Where the reply repeats the question.
    pub echo_question_at: Option<Pointers>,
    /// The elements of a page that are the answers.
    pub select_answers: Option<PageSelection>,
    /// The element of a page that is the query.
    pub select_query: Option<PageSelection>,
    /// What is kept of the reply beside its answers: the place as it is written, and the pointer.
    pub keep_at: Vec<(String, Pointers)>,
    /// Values that say that there is no answer.
    pub no_answer_is: Vec<String>,
    /// Whether a reply without a place for answers says that there are none.
    pub may_lack_answers: bool,
    /// What is missing where the system may have failed without a word.
    pub doubt_without: Option<Pointers>,
    /// How values become terms where the reply alone is no IRI, in the order of the rules.
    pub value_rules: Vec<ValueRule>,
    /// How the query is taken out of its text.
    pub query_rules: Vec<QueryRule>,
}

/// What kind of reply it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyKind {
    /// QALD JSON, eQALD JSON, SPARQL results as JSON or XML: known by its content.
    Recognised,
    /// SPARQL results within JSON.
    SparqlResults,
    /// A query.
    Query,
    /// Texts within JSON.
    Values,
    /// A web page.
    Page,
}

/// What is a failure, beside what HTTP says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Failures {
    /// Where the reply says how it went, and what it says when all is well.
    pub state: Option<(Pointers, Vec<String>)>,
    /// Where the reply says why the text ended, and what it says when it is whole.
    pub stop: Option<(Pointers, Vec<String>)>,
    /// Where a message is.
    pub message_at: Option<Pointers>,
    /// Where a text says that the system refuses to answer.
    pub refusal_at: Option<Pointers>,
    /// Where the name of the module is that failed.
    pub module_at: Option<Pointers>,
    /// Where which text means that asking on makes no sense.
    pub abort_where: Vec<(Pointers, String)>,
}

/// How patient and how polite one is.
#[derive(Debug, Clone, PartialEq)]
pub struct Manners {
    /// The longest that one question may take, all calls together.
    pub time_limit: Duration,
    /// How often one tries again.
    pub retries: u32,
    /// The wait before the first further try; each further one is twice as long.
    pub retry_pause: Duration,
    /// The wait between two questions.
    pub pause: Duration,
    /// Whether several questions at once confuse the system.
    pub one_at_a_time: bool,
}

impl Default for Manners {
    fn default() -> Self {
        Self {
            time_limit: Duration::from_secs(300),
            retries: 2,
            retry_pause: Duration::from_secs(1),
            pause: Duration::ZERO,
            one_at_a_time: false,
        }
    }
}

impl Protocol {
    /// The name of the protocol of functions: what they are asked is sent to nobody.
    pub const FUNCTION: &str = "function";

    /// The protocol that facts describe.
    ///
    /// # Errors
    /// Where something is missing, or says what no protocol can say: the error names the statement.
    pub(crate) fn read(facts: &Facts, iri: &str) -> Result<Self> {
        let stated = StatedProtocol::new(facts, iri);
        let protocol = Self {
            iri: iri.to_owned(),
            name: stated.name()?,
            title: stated.title()?,
            definition: stated.definition()?,
            address: stated.address("serviceAddress")?,
            driver: driver(&stated)?,
            request: RequestTemplate::read(&stated)?,
            settings: stated.settings()?,
            reply: ReplyDescription::read(&stated)?,
            failures: Failures::read(&stated)?,
            manners: Manners::read(&stated)?,
            statements: facts.statements(iri).cloned().unwrap_or_default(),
        };
        stated.nothing_is_left()?;
        protocol.check_reply(&stated)?;
        Ok(protocol)
    }

    /// What is said of it as N-Triples, the objects of a property in the order of their file: the order may matter.
    pub fn as_triples(&self) -> String {
        let said = self.statements.iter();
        let lines = said.flat_map(|(predicate, objects)| {
            objects.iter().map(move |object| format!("<{}> <{predicate}> {object} .\n", self.iri))
        });
        lines.collect()
    }

    /// The names of the places that requests have, each once, in order.
    pub fn places(&self) -> Vec<&str> {
        let mut places: Vec<&str> = self.request.templates().flat_map(Template::places).collect();
        match &self.driver {
            Driver::ThenQuery(parameters) => places.extend(pairs(parameters).flat_map(Template::places)),
            Driver::Poll { path, .. } => places.extend(path.places()),
            Driver::Once | Driver::Qanary | Driver::Form { .. } => {}
        }
        let mut seen = std::collections::BTreeSet::new();
        places.retain(|place| seen.insert(*place));
        places
    }

    /// The variables of the environment that requests need.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.places().into_iter().filter_map(|place| place.strip_prefix(ENVIRONMENT))
    }

    /// Whether the language of the question is sent.
    pub fn sends_language(&self) -> bool {
        self.places().contains(&"language")
    }

    fn check_reply(&self, stated: &StatedProtocol) -> Result<()> {
        let needed = match self.reply.kind {
            ReplyKind::Recognised => return Ok(()),
            ReplyKind::Page => (self.reply.select_answers.is_some(), "selectAnswers"),
            _ if self.driver == Driver::Qanary => return Ok(()),
            ReplyKind::SparqlResults | ReplyKind::Values => (self.reply.answers_at.is_some(), "answersAt"),
            ReplyKind::Query => (self.reply.query_at.is_some(), "queryAt"),
        };
        if needed.0 { Ok(()) } else { Err(stated.missing(needed.1)) }
    }
}

fn driver(stated: &StatedProtocol) -> Result<Driver> {
    let then_query = stated.fields("thenQueryBy")?;
    Ok(match stated.code("driver", &["driver-once", "driver-poll", "driver-qanary", "driver-form"])? {
        Some("driver-poll") => Driver::Poll {
            run_at: stated.needed("runAt", StatedProtocol::pointers)?,
            path: stated.needed("pollPath", StatedProtocol::template)?,
            done_at: stated.needed("doneAt", StatedProtocol::pointers)?,
            pause: stated.duration("pollPause")?.unwrap_or(Duration::from_millis(500)),
        },
        Some("driver-qanary") => Driver::Qanary,
        Some("driver-form") => {
            Driver::Form { state_field: stated.needed("stateField", StatedProtocol::text)? }
        }
        _ => then_query.map_or(Driver::Once, Driver::ThenQuery),
    })
}

/// All templates of names and values.
fn pairs(fields: &[(Template, Template)]) -> impl Iterator<Item = &Template> {
    fields.iter().flat_map(|(name, value)| [name, value])
}

impl RequestTemplate {
    fn read(stated: &StatedProtocol) -> Result<Self> {
        let parameters = stated.fields("parameters")?.unwrap_or_default();
        let (form, json) = (stated.fields("form")?, stated.json("json")?);
        // Where a parameter takes it, the JSON is no body.
        let is_parameter = pairs(&parameters).flat_map(Template::places).any(|place| place == "json");
        let body = match (form, json) {
            (Some(_), Some(_)) => return Err(stated.both("form", "json")),
            (Some(form), None) => BodyTemplate::Form(form),
            (None, Some(json)) => BodyTemplate::Json(json),
            (None, None) if is_parameter => return Err(stated.missing("json")),
            (None, None) => BodyTemplate::None,
        };
        let within_json = match &body {
            BodyTemplate::Json(json) => templates_within(json),
            BodyTemplate::None | BodyTemplate::Form(_) => Vec::new(),
        };
        let encoding = stated.code("formEncoding", &["form-plus", "form-percent", "form-as-gerbil"])?;
        Ok(Self {
            method: match stated.one_of("method", &["GET", "POST"])? {
                Some("GET") => Method::GET,
                _ => Method::POST,
            },
            path: stated.template("requestPath")?.unwrap_or_else(|| Template::parse("")),
            parameters,
            encoding: match encoding {
                Some("form-percent") => FormEncoding::Percent,
                Some("form-as-gerbil") => FormEncoding::AsGerbil,
                _ => FormEncoding::Plus,
            },
            body,
            within_json,
            headers: stated.headers()?,
            accept: stated.accept()?,
        })
    }

    /// Whether the JSON is the value of a parameter, and no body.
    pub(crate) fn has_json_parameter(&self) -> bool {
        pairs(&self.parameters).flat_map(Template::places).any(|place| place == "json")
    }

    /// All templates.
    fn templates(&self) -> impl Iterator<Item = &Template> {
        let body: &[(Template, Template)] = match &self.body {
            BodyTemplate::Form(fields) => fields,
            BodyTemplate::None | BodyTemplate::Json(_) => &[],
        };
        let headers = self.headers.iter().map(|(_, value)| value);
        let around = std::iter::once(&self.path).chain(pairs(&self.parameters));
        around.chain(pairs(body)).chain(&self.within_json).chain(headers)
    }
}

/// The templates that the texts of JSON are.
fn templates_within(json: &Value) -> Vec<Template> {
    match json {
        Value::String(text) => vec![Template::parse(text)],
        Value::Array(items) => items.iter().flat_map(templates_within).collect(),
        Value::Object(entries) => entries.values().flat_map(templates_within).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

impl ReplyDescription {
    fn read(stated: &StatedProtocol) -> Result<Self> {
        const KINDS: [&str; 5] =
            ["reply-recognised", "reply-sparql-results", "reply-query", "reply-values", "reply-page"];
        Ok(Self {
            kind: match stated.code("reply", &KINDS)? {
                Some("reply-recognised") => ReplyKind::Recognised,
                Some("reply-sparql-results") => ReplyKind::SparqlResults,
                Some("reply-query") => ReplyKind::Query,
                Some("reply-values") => ReplyKind::Values,
                Some("reply-page") => ReplyKind::Page,
                _ => return Err(stated.missing("reply")),
            },
            answers_at: stated.pointers("answersAt")?,
            query_at: stated.pointers("queryAt")?,
            confidence_at: stated.pointers("confidenceAt")?,
            confidence_above: stated.decimal("confidenceAbove")?,
            label_at: stated.pointers("labelAt")?,
            echo_at: stated.pointers("echoAt")?,
            echo_question_at: stated.pointers("echoQuestionAt")?,
            select_answers: stated.selection("selectAnswers")?,
            select_query: stated.selection("selectQuery")?,
            keep_at: stated.all_pointers("keepAt")?,
            no_answer_is: stated.texts("noAnswerIs")?,
            may_lack_answers: stated.boolean("mayLackAnswers")?.unwrap_or(false),
            doubt_without: stated.pointers("doubtWithout")?,
            value_rules: stated.rules("valueRule", &ValueRule::ALL, ValueRule::name)?,
            query_rules: stated.rules("queryRule", &QueryRule::ALL, QueryRule::name)?,
        })
    }
}

impl Failures {
    fn read(stated: &StatedProtocol) -> Result<Self> {
        let told = |at: &str, fine: &str| -> Result<Option<(Pointers, Vec<String>)>> {
            let (at, fine) = (stated.pointers(at)?, stated.texts(fine)?);
            Ok(at.map(|at| (at, fine)))
        };
        Ok(Self {
            state: told("stateAt", "stateOk")?,
            stop: told("stopAt", "stopOk")?,
            message_at: stated.pointers("messageAt")?,
            refusal_at: stated.pointers("refusalAt")?,
            module_at: stated.pointers("moduleAt")?,
            abort_where: stated.conditions("abortWhere")?,
        })
    }
}

impl Manners {
    fn read(stated: &StatedProtocol) -> Result<Self> {
        let default = Self::default();
        Ok(Self {
            time_limit: stated.limit("totalTimeLimit")?.unwrap_or(default.time_limit),
            retries: stated.integer("retries")?.unwrap_or(default.retries),
            retry_pause: stated.duration("retryPause")?.unwrap_or(default.retry_pause),
            pause: stated.duration("pause")?.unwrap_or(default.pause),
            one_at_a_time: stated.boolean("oneAtATime")?.unwrap_or(false),
        })
    }
}
