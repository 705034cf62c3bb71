//! The IRIs of the vocabularies, one macro call per prefix. `tests/it/house/vocabulary.rs` compares ours with the ontology.

macro_rules! vocabulary {
    ($(#[doc = $doc:literal])* $module:ident = $base:literal { $($name:ident = $local:literal),* $(,)? }) => {
        $(#[doc = $doc])*
        #[allow(missing_docs, reason = "the vocabularies document their terms")]
        #[allow(clippy::allow_attributes, reason = "a macro cannot know which terms need it")]
        pub mod $module {
            /// The namespace.
            pub const NAMESPACE: &str = $base;
            $(pub const $name: &str = concat!($base, $local);)*
            /// All terms used, for tests.
            pub const ALL: &[&str] = &[$($name),*];
        }
    };
}

vocabulary!(/// The few terms that exist nowhere else; defined in `ontology/qassay.ttl`.
qassay = "https://w3id.org/qassay/ns#" {
    QUESTION = "Question", GOLD_ANSWER = "GoldAnswer", SYSTEM_ANSWER = "SystemAnswer", ANSWER_ITEM = "AnswerItem",
    SUBMISSION_CLASS = "Submission", EVALUATION_CLASS = "Evaluation", EXECUTION = "Execution", MATCH = "Match",
    ISSUE_CLASS = "Issue",
    IN_DATASET_VERSION = "inDatasetVersion", POSITION = "position", LINE = "line", KEYWORDS = "keywords",
    ANSWER_TYPE = "answerType", ANSWER_TYPE_TEXT = "answerTypeText", ANSWER_ITEM_TYPE = "answerItemType",
    AGGREGATION = "aggregation", ONLYDBO = "onlydbo", HYBRID = "hybrid", FLAG_TEXT = "flagText",
    QUESTION_STATUS = "questionStatus", FOR_QUESTION = "forQuestion", GOLD_ORIGIN = "goldOrigin",
    ANSWER_TERM = "answerTerm", SPARQL_QUERY = "sparqlQuery", PSEUDO_QUERY = "pseudoQuery",
    SCHEMALESS_QUERY = "schemalessQuery", IN_ANSWER = "inAnswer", TERM = "term", ITEM_TEXT = "itemText",
    ROW = "row", VARIABLE = "variable", CONFIDENCE = "confidence", IN_SUBMISSION = "inSubmission",
    ANSWER_STATUS = "answerStatus", RESPONSE_TIME = "responseTime", ERROR_MESSAGE = "errorMessage",
    FAILURE_KIND = "failureKind", EXCHANGE = "exchange", TRIES = "tries", REPLY_NOTE = "replyNote", REPLY_PART = "replyPart", ASKING = "Asking", ASKED_ADDRESS = "askedAddress",
    PROTOCOL = "protocol", ASKED_DATASET = "askedDataset", EXCHANGES = "exchanges", PROTOCOL_DESCRIPTION = "protocolDescription",
    ASKING_PLAN = "askingPlan", ASKING_SETTING = "askingSetting", ASKING_STATE = "askingState",
    ASKED_LANGUAGE = "askedLanguage", ANSWERS_FILE = "answersFile", REQUESTS_AS_DESCRIBED = "requestsAsDescribed", QUESTIONS_TO_ASK = "questionsToAsk", RUN_SETTING = "runSetting",
    FORMAT = "format",
    CANDIDATE = "Candidate", CANDIDATE_OF = "candidateOf", CANDIDATE_POSITION = "candidatePosition",
    CANDIDATE_TEXT = "candidateText", CANDIDATE_FIELD = "candidateField", CANDIDATE_PART = "candidatePart",
    TABLE_CELL = "TableCell", CELL_OF = "cellOf", CELL_ROW = "cellRow", CELL_COLUMN = "cellColumn", CELL_TEXT = "cellText",
    CANDIDATE_LABEL = "candidateLabel", CANDIDATE_SCORE = "candidateScore", CANDIDATE_RANK = "candidateRank",
    IDENTICAL_MATCH = "identicalMatch", IN_OBSERVATION = "inObservation", GOLD_TERM = "goldTerm",
    SYSTEM_TERM = "systemTerm", MATCH_RULE = "matchRule", NORMALISATION = "normalisation",
    CANONICAL = "canonical",
    JUDGEMENT = "Judgement", JUDGED_IN = "judgedIn", JUDGED_RANK = "judgedRank", JUDGED_SCORE = "judgedScore", VERDICT = "verdict", GAIN = "gain",
    WORST_VALUE = "worstValue", BEST_VALUE = "bestValue", CUTOFF = "cutoff", RECIPROCAL_RANK = "reciprocalRank",
    AVERAGE_PRECISION = "averagePrecision", K_SCORE = "kScore", QUESTION_ATTRIBUTE = "questionAttribute", HEADING = "heading",
    ANSWER_TEXT = "answerText", ANSWER_ROW = "answerRow", ROW_CELL = "rowCell", NORMAL_FORM = "normalForm", VALUE_KEY = "valueKey",
    LENIENT_KEY = "lenientKey", TEXT_KEY = "textKey", DAY_KEY = "dayKey",
    ALIAS = "alias", ALIAS_KEY = "aliasKey", ASKED_YEAR_KEY = "askedYearKey", COLUMN_LABEL_KEY = "columnLabelKey", VALUE_SPACE_KEY = "valueSpaceKey", NUMBER_KEY = "numberKey", CALENDAR_KEY = "calendarKey", YEAR_KEY = "yearKey",
    JANUARY_KEY = "januaryKey", TITLE_KEY = "titleKey", LANGUAGE_VARIANT_KEY = "languageVariantKey", IRI_KEY = "iriKey",
    RESOURCE_KEY = "resourceKey", DENOTES = "denotes", LABEL_PROPERTY = "labelProperty",
    LABELLED_RESOURCE = "labelledResource", READ_AS_LABEL = "readAsLabel", LABEL_TEXT = "labelText", TYPE_SET = "typeSet",
    QUESTION_TYPE_SET = "questionTypeSet", ASSESSMENT_SET = "assessmentSet", PROFILE_FILE = "profileFile", QUESTION_TYPE = "questionType",
    TYPED_QUESTION = "TypedQuestion", ASSESSMENT = "Assessment", ASSESSED_ANSWER = "assessedAnswer", ASSESSOR = "assessor",
    ASSESSED_CORRECT = "assessedCorrect",
    GOLD_ITEM_ORIGIN = "goldItemOrigin", SYSTEM_ITEM_ORIGIN = "systemItemOrigin",
    INPUT_DIGEST = "inputDigest", SUBMISSION = "submission", SYSTEM = "system", DATASET_VERSION = "datasetVersion",
    LINKSET = "linkset", POLICY = "policy", RANKED_BY = "rankedBy", EVALUATION_LANGUAGE = "evaluationLanguage",
    DSD_QUESTION = "dsd-question", DSD_AGGREGATE = "dsd-aggregate", SLICE_BY_EXPERIMENT = "slice-by-experimentType",
    EVALUATION = "evaluation", EXPERIMENT_TYPE = "experimentType", QUESTION_DIMENSION = "question",
    TRUE_POSITIVES = "truePositives", FALSE_POSITIVES = "falsePositives", FALSE_NEGATIVES = "falseNegatives",
    PRECISION = "precision", RECALL = "recall", F1 = "f1", NDCG = "ndcg", SHARE_SUM = "shareSum", GOLD_ANSWER_ATTRIBUTE = "goldAnswer",
    SYSTEM_ANSWER_ATTRIBUTE = "systemAnswer", QUESTION_GROUP = "questionGroup", METRIC = "metric", VALUE = "value",
    SAMPLE_SIZE = "sampleSize", EXECUTION_OF = "executionOf", DURATION_SECONDS = "durationSeconds",
    BLIND_SUBMISSION = "BlindSubmission", ACCEPTANCE_NUMBER = "acceptanceNumber",
    SCORES_DIGEST = "scoresDigest", MATCH_DIGEST = "matchDigest", MEASURES_DIGEST = "measuresDigest", REPRODUCED = "reproduced", RESTS_ON = "restsOn", MESSAGE = "message",
    WRITTEN_TERM = "WrittenTerm", LEXICAL_FORM = "lexicalForm", LITERAL_DATATYPE = "literalDatatype", ISSUE = "issue", PLAN_FILE = "planFile",
    GIT_COMMIT = "gitCommit", SEVERITY = "severity", IN_FILE = "inFile", PATH = "path", QUESTION_ID = "questionId",
    METRIC_POLICY = "MetricPolicy",
    LABEL_SET = "labelSet", CLASS_SET = "classSet", SAME_AS_MODE = "sameAsMode", RESTRICTED_TO = "restrictedTo",
    LOADER = "loader", QUESTION_PART = "questionPart",
    SKIPPED = "skipped", SKIPPED_EXPERIMENT = "SkippedExperiment", SKIP_REASON = "skipReason",
    SKIPPED_QUESTION = "skippedQuestion",
    TRIPLE_PATTERN = "TriplePattern", USES_TRIPLE_PATTERN = "usesTriplePattern", USES_RESOURCE = "usesResource",
    USES_PROPERTY = "usesProperty", ANNOTATED_RESOURCE = "annotatedResource",
    ANNOTATED_PROPERTY = "annotatedProperty", TP_SUBJECT = "tpSubject", TP_PREDICATE = "tpPredicate", TP_OBJECT = "tpObject",
    TP_PATH = "tpPath", OCCURRENCE = "occurrence", PATTERN_KEY = "patternKey",
    MEASURED_PART = "measuredPart",
    QUERY_FORM = "queryForm", QUERY_FEATURE = "queryFeature", QUERY_PROBLEM = "queryProblem",
    QUERY_REPAIR = "queryRepair",
    ASKED_ITEM_TYPE = "askedItemType", INFERRED_TYPE = "inferredAnswerType",
    MEANING_URI = "meaningUri", MEANING_CLASS = "meaningClass",
    RELATION_SUBJECT = "relationSubject", RELATION_PREDICATE = "relationPredicate",
    RELATION_OBJECT = "relationObject", RELATION_LITERAL = "relationLiteral",
    RECORD_PART = "RecordPart", PART = "part", PART_OF = "partOf", AS_WRITTEN = "asWritten", PART_NAME = "partName",
    ANSWER_SNAPSHOT = "AnswerSnapshot", QUERY_ANSWER = "QueryAnswer", IN_ANSWER_SNAPSHOT = "inAnswerSnapshot",
    KNOWLEDGE_BASE = "knowledgeBase", KNOWLEDGE_BASE_DIGEST = "knowledgeBaseDigest", GRAPH_CHECKSUM = "graphChecksum",
    KNOWLEDGE_BASE_SNAPSHOT = "KnowledgeBaseSnapshot", READ_STATEMENTS = "readStatements", SKIPPED_STATEMENTS = "skippedStatements",
    ASKED_QUERY = "askedQuery", QUERY_CHECKSUM = "queryChecksum", QUERY_OUTCOME = "queryOutcome", RESULTS = "results",
    REDIRECT_KEY = "redirectKey", WIKIPEDIA_KEY = "wikipediaKey", LINK_KIND = "linkKind",
    LINKSET_VERSION = "LinksetVersion", ONLY_AS_FILE = "onlyAsFile",
    REFRESHED_GOLD_CLASS = "RefreshedGold", EXECUTED_ANSWERS_CLASS = "ExecutedAnswers",
    REFRESHED_GOLD = "refreshedGold", EXECUTED_ANSWERS = "executedAnswers", REFRESH_STATUS = "refreshStatus",
    REFRESH_REASON = "refreshReason", UNDECIDED_REASON = "undecidedReason",
    TIED_ROWS_CLASS = "TiedRows", TIED_ROW_CLASS = "TiedRow", TIED_ROWS = "tiedRows", WANTED_ROWS = "wantedRows",
    IN_TIED_ROWS = "inTiedRows", TIED_TERM = "tiedTerm", SURE_TERM = "sureTerm", COUNTED_ROW = "countedRow",
    ADDED_ANSWERS = "addedAnswers", REMOVED_ANSWERS = "removedAnswers",
    OUTCOME_COUNT_CLASS = "OutcomeCount", OUTCOME_COUNT = "outcomeCount", COUNTED_OUTCOME = "countedOutcome",
    QUERY_COUNT = "queryCount", TIME_LIMIT = "timeLimit", ROW_LIMIT = "rowLimit", MEMORY_LIMIT = "memoryLimit",
    CONTENTS = "contents", RELATIVE_SPACE = "relativeSpace",
    COMPARISON = "Comparison", COMPARISON_EXECUTION = "ComparisonExecution", COMPARED_TABLE = "ComparedTable",
    COMPARED_SYSTEM_CLASS = "ComparedSystem", RANKING_AGREEMENT = "RankingAgreement", DISCORDANT_PAIR_CLASS = "DiscordantPair",
    COMPARISON_METHODS = "comparisonMethods", COMPARED_METRIC = "comparedMetric", COMPARED_TYPE = "comparedType", CHOSEN_TEST = "chosenTest",
    ALPHA = "alpha", SEED = "seed", BASELINE_SYSTEM = "baselineSystem", COMPARED_ALIAS = "comparedAlias",
    CLUSTER_UNIT = "clusterUnit",
    COMPARED_QUESTIONS = "comparedQuestions", COMPARES_GROUPS = "comparesGroups", EXECUTED_COMPARISON = "executedComparison",
    COMPARISON_DIGEST = "comparisonDigest", ACROSS_TABLE = "acrossTable", TABLE_OPTION = "tableOption",
    COMMON_QUESTIONS = "commonQuestions", CLUSTER_COUNT = "clusterCount", LEFT_OUT_QUESTION = "leftOutQuestion",
    UNDEFINED_REASON = "undefinedReason", COMMON_VALUE = "commonValue", MISSING_QUESTIONS = "missingQuestions",
    VALUE_RANK = "valueRank", SIGNIFICANCE_RANK = "significanceRank", BEST_RANK = "bestRank", WORST_RANK = "worstRank",
    EQUALITY_LETTERS = "equalityLetters", CAUTION = "caution", LOSS_WITHOUT = "lossWithout", TAU_B = "tauB",
    DISCORDANT_PAIR = "discordantPair", IN_TABLE = "inTable", BASELINE = "baseline", TEST = "test", INTERVAL_METHOD = "intervalMethod",
    RANK = "rank", PROFILE = "profile", SIZE = "size", SELECTION = "selection", COMPARED_SYSTEM = "comparedSystem",
    COMPARED_WITH = "comparedWith", DIFFERENCE = "difference", P_VALUE = "pValue", CI_LOWER = "ciLower", CI_UPPER = "ciUpper",
    SHARE = "share", DIFFICULTY = "difficulty", ADJUSTED_P_VALUE = "adjustedPValue", FAMILY_SIZE = "familySize",
    SIGNIFICANT = "significant", COMPUTATION = "computation", DIFFERING = "differing", WINS = "wins", TIES = "ties", LOSSES = "losses",
    DOMINANCE = "dominance", STANDARDISED_DIFFERENCE = "standardisedDifference", DETECTABLE_DIFFERENCE = "detectableDifference",
    LEVEL = "level", MINUEND = "minuend", SUBTRAHEND = "subtrahend", DISCRIMINATION = "discrimination",
    SYSTEM_COUNT = "systemCount", MEMBER = "member", SLICE_BY_TABLE = "slice-by-table",
    DSD_COMPARISON = "dsd-comparison", DSD_INTERVAL = "dsd-interval", DSD_RANK = "dsd-rank", DSD_ITEM = "dsd-item",
    DSD_ENSEMBLE = "dsd-ensemble", DSD_OVER_DATASETS = "dsd-over-datasets", DSD_GROUP_EFFECT = "dsd-group-effect", DSD_DRIFT = "dsd-drift",
    PUBLICATION = "Publication", WITHHELD_PART = "WithheldPart", WITHHELD = "withheld", LICENCE_TERMS = "licenceTerms",
    PART_KIND = "partKind", PART_LANGUAGE = "partLanguage", PART_DATATYPE = "partDatatype", PART_MARK = "partMark",
});

vocabulary!(/// The concepts of `code:recordPart`: what a node with `qassay:part` holds.
part = "https://w3id.org/qassay/code#part-" {
    DOCUMENT = "document", DATASET_ID = "dataset-id", QUESTION = "question", PLACE = "place", TEXT = "text",
    KEYWORDS = "keywords", ANSWER_TYPE = "answer-type", ITEM_TYPE = "item-type", FLAG = "flag", QUERY = "query",
    ANNOTATION = "annotation", BEGIN = "begin", END = "end", SET = "set", VARIABLE = "variable",
    CONFIDENCE = "confidence", CELL = "cell", CANDIDATE = "candidate", LABEL = "label", SCORE = "score", RANK = "rank",
    ERROR = "error", TIME = "time", ASKED = "asked", EXTRA = "extra",
});

/// The code lists of `ontology/qassay.ttl`, `groups.ttl` and `profiles.ttl`.
pub mod code {
    /// The namespace.
    pub const NAMESPACE: &str = "https://w3id.org/qassay/code#";

    /// The concept with this local name.
    pub fn iri(local: &str) -> String {
        format!("{NAMESPACE}{local}")
    }
}

vocabulary!(/// RDF.
rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#" { TYPE = "type", JSON = "JSON", LANG_STRING = "langString" });
vocabulary!(/// RDF Schema.
rdfs = "http://www.w3.org/2000/01/rdf-schema#" {
    LABEL = "label", SUB_CLASS_OF = "subClassOf", DOMAIN = "domain", RANGE = "range", SEE_ALSO = "seeAlso",
});
vocabulary!(/// OWL.
owl = "http://www.w3.org/2002/07/owl#" {
    SAME_AS = "sameAs", VERSION_INFO = "versionInfo", OBJECT_PROPERTY = "ObjectProperty",
    FUNCTIONAL_PROPERTY = "FunctionalProperty",
});
vocabulary!(/// The DBpedia ontology.
dbo = "http://dbpedia.org/ontology/" { WIKI_PAGE_REDIRECTS = "wikiPageRedirects" });
vocabulary!(/// SKOS.
skos = "http://www.w3.org/2004/02/skos/core#" {
    NOTATION = "notation", CONCEPT = "Concept", BROADER = "broader", PREF_LABEL = "prefLabel", ALT_LABEL = "altLabel", IN_SCHEME = "inScheme", DEFINITION = "definition",
    COLLECTION = "Collection", MEMBER = "member", EXACT_MATCH = "exactMatch",
    CONCEPT_SCHEME = "ConceptScheme",
});
vocabulary!(/// XML Schema datatypes.
xsd = "http://www.w3.org/2001/XMLSchema#" {
    STRING = "string", INTEGER = "integer", DECIMAL = "decimal", BOOLEAN = "boolean", DATE_TIME = "dateTime",
    DATE = "date", HEX_BINARY = "hexBinary", NON_NEGATIVE_INTEGER = "nonNegativeInteger", DOUBLE = "double",
    FLOAT = "float", G_YEAR = "gYear", G_YEAR_MONTH = "gYearMonth", G_MONTH_DAY = "gMonthDay", TIME = "time",
});
vocabulary!(/// RDF Data Cube.
qb = "http://purl.org/linked-data/cube#" {
    DATA_SET_CLASS = "DataSet", DATA_SET = "dataSet", STRUCTURE = "structure", SLICE_CLASS = "Slice", SLICE = "slice",
    SLICE_STRUCTURE = "sliceStructure", OBSERVATION_CLASS = "Observation", OBSERVATION = "observation",
});
vocabulary!(/// Data Quality Vocabulary.
dqv = "http://www.w3.org/ns/dqv#" {
    METRIC = "Metric", QUALITY_MEASUREMENT = "QualityMeasurement", QUALITY_MEASUREMENT_DATASET = "QualityMeasurementDataset",
    HAS_QUALITY_MEASUREMENT = "hasQualityMeasurement", IS_MEASUREMENT_OF = "isMeasurementOf",
    COMPUTED_ON = "computedOn", VALUE = "value", HAS_QUALITY_ANNOTATION = "hasQualityAnnotation",
    QUALITY_ANNOTATION = "QualityAnnotation", QUALITY_ASSESSMENT = "qualityAssessment",
});
vocabulary!(/// Web Annotation.
oa = "http://www.w3.org/ns/oa#" { HAS_TARGET = "hasTarget", MOTIVATED_BY = "motivatedBy" });
vocabulary!(/// SDMX attributes.
sdmx_attribute = "http://purl.org/linked-data/sdmx/2009/attribute#" { UNIT_MEASURE = "unitMeasure" });
vocabulary!(/// Dublin Core terms.
dct = "http://purl.org/dc/terms/" {
    TITLE = "title", DESCRIPTION = "description", IDENTIFIER = "identifier", LICENSE = "license",
    PUBLISHER = "publisher", HAS_PART = "hasPart", IS_PART_OF = "isPartOf", IS_VERSION_OF = "isVersionOf", SUBJECT = "subject", IS_REPLACED_BY = "isReplacedBy",
    TYPE = "type", SOURCE = "source", CONFORMS_TO = "conformsTo", STANDARD = "Standard",
    MEDIA_TYPE_CLASS = "MediaType", CREATOR = "creator", ISSUED = "issued", ACCESS_RIGHTS = "accessRights",
    MODIFIED = "modified", LANGUAGE = "language", FORMAT = "format", LICENSE_DOCUMENT = "LicenseDocument", RIGHTS_STATEMENT = "RightsStatement", LINGUISTIC_SYSTEM = "LinguisticSystem", MEDIA_TYPE_OR_EXTENT = "MediaTypeOrExtent",
});
vocabulary!(/// schema.org.
schema = "http://schema.org/" {
    TEXT = "text", IN_LANGUAGE = "inLanguage", NAME = "name", SOFTWARE_APPLICATION = "SoftwareApplication", SOFTWARE_VERSION = "softwareVersion",
    OPERATING_SYSTEM = "operatingSystem", DESCRIPTION = "description", MEDIA_OBJECT = "MediaObject", ABOUT = "about", AFFILIATION = "affiliation",
});
vocabulary!(/// PROV-O.
prov = "http://www.w3.org/ns/prov#" {
    ENTITY_CLASS = "Entity", ACTIVITY = "Activity", SOFTWARE_AGENT = "SoftwareAgent", USAGE = "Usage",
    ASSOCIATION = "Association", PLAN = "Plan", ROLE = "Role", USED = "used", GENERATED = "generated", WAS_GENERATED_BY = "wasGeneratedBy",
    WAS_ASSOCIATED_WITH = "wasAssociatedWith", WAS_ATTRIBUTED_TO = "wasAttributedTo", WAS_DERIVED_FROM = "wasDerivedFrom",
    SPECIALIZATION_OF = "specializationOf", QUALIFIED_USAGE = "qualifiedUsage",
    QUALIFIED_ASSOCIATION = "qualifiedAssociation", ENTITY = "entity", AGENT = "agent", HAD_PLAN = "hadPlan",
    HAD_ROLE = "hadRole", HAD_PRIMARY_SOURCE = "hadPrimarySource", STARTED_AT_TIME = "startedAtTime", ENDED_AT_TIME = "endedAtTime",
    GENERATED_AT_TIME = "generatedAtTime", PERSON = "Person", ORGANIZATION = "Organization", ATTRIBUTION = "Attribution",
    QUALIFIED_ATTRIBUTION = "qualifiedAttribution", WAS_REVISION_OF = "wasRevisionOf",
    INVALIDATED_AT_TIME = "invalidatedAtTime", WAS_INVALIDATED_BY = "wasInvalidatedBy",
    AGENT_CLASS = "Agent",
});
vocabulary!(/// DCAT.
dcat = "http://www.w3.org/ns/dcat#" {
    CATALOG = "Catalog", CATALOG_RECORD = "CatalogRecord", DATASET_CLASS = "Dataset", DISTRIBUTION_CLASS = "Distribution",
    DATASET = "dataset", RECORD = "record", HAS_VERSION = "hasVersion", IS_VERSION_OF = "isVersionOf",
    VERSION = "version", DISTRIBUTION = "distribution", DOWNLOAD_URL = "downloadURL", ACCESS_URL = "accessURL",
    MEDIA_TYPE = "mediaType", BYTE_SIZE = "byteSize", COMPRESS_FORMAT = "compressFormat",
    KEYWORD = "keyword", THEME = "theme", THEME_TAXONOMY = "themeTaxonomy", LANDING_PAGE = "landingPage", CONTACT_POINT = "contactPoint", PREVIOUS_VERSION = "previousVersion",
});
vocabulary!(/// DataID core.
dataid = "http://dataid.dbpedia.org/ns/core#" {
    DATA_ID = "DataId", DATASET = "Dataset", DISTRIBUTION = "Distribution", IS_DISTRIBUTION_OF = "isDistributionOf",
    IN_CATALOG = "inCatalog",
    AGENT = "Agent", ASSOCIATED_AGENT = "associatedAgent", UNDER_AUTHORIZATION = "underAuthorization", AUTHORIZATION = "Authorization", AUTHORITY_AGENT_ROLE = "authorityAgentRole", AUTHORIZED_AGENT = "authorizedAgent", AUTHORIZED_FOR = "authorizedFor", PUBLISHER = "Publisher",
});
vocabulary!(/// DBpedia Databus.
databus = "https://dataid.dbpedia.org/databus#" { ARTIFACT = "Artifact", VERSION = "Version", SHA256SUM = "sha256sum" });
vocabulary!(/// SPDX checksums.
spdx = "http://spdx.org/rdf/terms#" {
    CHECKSUM_CLASS = "Checksum", CHECKSUM = "checksum", ALGORITHM = "algorithm", SHA256 = "checksumAlgorithm_sha256",
    CHECKSUM_VALUE = "checksumValue", ALGORITHM_CLASS = "ChecksumAlgorithm",
});
vocabulary!(/// VoID.
void = "http://rdfs.org/ns/void#" {
    DATASET = "Dataset", LINKSET = "Linkset", TRIPLES = "triples", LINK_PREDICATE = "linkPredicate",
    SPARQL_ENDPOINT = "sparqlEndpoint", DISTINCT_SUBJECTS = "distinctSubjects", DISTINCT_OBJECTS = "distinctObjects",
    PROPERTIES = "properties", CLASSES = "classes", PROPERTY_PARTITION = "propertyPartition", PROPERTY = "property",
    CLASS_PARTITION = "classPartition", CLASS = "class", ENTITIES = "entities", SUBSET = "subset", URI_SPACE = "uriSpace",
    VOCABULARY = "vocabulary", DATA_DUMP = "dataDump",
});
vocabulary!(/// SPARQL service description, used for the registry of graphs.
sd = "http://www.w3.org/ns/sparql-service-description#" { GRAPH = "Graph", SERVICE = "Service", DATASET = "Dataset", ENDPOINT = "endpoint",
    SUPPORTED_LANGUAGE = "supportedLanguage", SPARQL_11_QUERY = "SPARQL11Query", RESULT_FORMAT = "resultFormat",
    DEFAULT_DATASET = "defaultDataset", DEFAULT_GRAPH = "defaultGraph", NAMED_GRAPH = "namedGraph",
    NAMED_GRAPH_CLASS = "NamedGraph", NAME = "name", OF_GRAPH = "graph" });
vocabulary!(/// FOAF.
foaf = "http://xmlns.com/foaf/0.1/" {
    PERSON = "Person", ORGANIZATION = "Organization", PRIMARY_TOPIC = "primaryTopic", IS_PRIMARY_TOPIC_OF = "isPrimaryTopicOf", AGENT = "Agent", NAME = "name",
    DOCUMENT = "Document", HOMEPAGE = "homepage", PAGE = "page",
});
vocabulary!(/// QUDT units.
unit = "http://qudt.org/vocab/unit/" { UNITLESS = "UNITLESS", NUM = "NUM", SEC = "SEC" });
vocabulary!(/// ADMS.
adms = "http://www.w3.org/ns/adms#" { STATUS = "status" });
vocabulary!(/// The application profile of DCAT for data portals in Europe.
dcatap = "http://data.europa.eu/r5r/" { AVAILABILITY = "availability" });
vocabulary!(/// vCard.
vcard = "http://www.w3.org/2006/vcard/ns#" {
    KIND = "Kind", INDIVIDUAL = "Individual", ORGANIZATION = "Organization", FN = "fn", HAS_URL = "hasURL",
});
vocabulary!(/// ODRL.
odrl = "http://www.w3.org/ns/odrl/2/" {
    POLICY = "Policy", SET = "Set", UID = "uid", HAS_POLICY = "hasPolicy", PERMISSION = "permission", PROHIBITION = "prohibition", DUTY = "duty",
    PERMISSION_CLASS = "Permission", PROHIBITION_CLASS = "Prohibition", DUTY_CLASS = "Duty", TARGET = "target", ACTION = "action",
    USE = "use", DISTRIBUTE = "distribute", DERIVE = "derive", ATTRIBUTE = "attribute",
});
vocabulary!(/// The rights of Creative Commons, which ODRL takes as actions.
cc = "http://creativecommons.org/ns#" { SHARE_ALIKE = "ShareAlike", COMMERCIAL_USE = "CommercialUse", ATTRIBUTION_NAME = "attributionName" });
