import type { Vocabulary } from './field.ts';

/** How clients speak to the platform. */
export const securityProtocols = {
  PLAINTEXT: 'Neither encryption nor authentication.',
  SSL: 'Encryption with TLS.',
  SASL_PLAINTEXT: 'Authentication with SASL, without encryption.',
  SASL_SSL: 'Authentication with SASL over TLS.',
} as const satisfies Vocabulary;

export const saslMechanisms = {
  PLAIN: 'User name and password as they are.',
  'SCRAM-SHA-256': 'Salted challenge and response with SHA-256.',
  'SCRAM-SHA-512': 'Salted challenge and response with SHA-512.',
} as const satisfies Vocabulary;

export const clusterTypes = {
  rest: 'A cluster that is reached through its REST interface.',
  docker: 'A cluster in containers on one machine.',
  kubernetes: 'A cluster run by Kubernetes.',
  managed: 'A managed service; the only type with `ML_PREDICT` and `ML_EVALUATE`.',
} as const satisfies Vocabulary;

export const schemaFormats = {
  avro: 'Apache Avro.',
  json: 'JSON Schema.',
  protobuf: 'Protocol Buffers.',
} as const satisfies Vocabulary;
export type SchemaFormat = keyof typeof schemaFormats;

/** Formats of keys that have a schema. */
export const keyFormats = {
  avro: 'Apache Avro, with the registry.',
  json: 'JSON.',
} as const satisfies Vocabulary;
export type KeyFormat = keyof typeof keyFormats;

/** How the rows of a source's table are in its topic. */
export const sourceChangelogs = {
  append: 'Each record is a row of its own.',
  upsert: 'Each record is the latest row of its key; one without a value deletes it.',
  debezium: "Each record is a change, in Debezium's envelope with the row before and after it.",
} as const satisfies Vocabulary;
export type SourceChangelog = keyof typeof sourceChangelogs;

/** What a column may have of a record beside its value. */
export const recordMetadata = {
  timestamp: 'Time of the record, `TIMESTAMP_LTZ(3)`.',
  headers: 'Headers, `MAP<STRING, BYTES>`.',
  key: 'Record key, or the part of it with the name of the column.',
  partition: 'Partition, `INT`.',
  offset: 'Offset in the partition, `BIGINT`.',
  topic: 'Topic, `STRING`.',
  'source.timestamp':
    'Time of the change in the database, `TIMESTAMP_LTZ(3)`. Only with `changelog: debezium` in JSON.',
  'source.table': 'Table of the database, `STRING`. Only with `changelog: debezium` in JSON.',
} as const satisfies Vocabulary;
export type RecordMetadata = keyof typeof recordMetadata;

/** How sensitive the content of a column is, from least to most. */
export const classifications = {
  public: 'May be known to everybody.',
  internal: 'Stays within the organisation.',
  confidential: 'Stays within those who need it.',
  sensitive: 'Personal or otherwise protected; must be masked where it leaves the project.',
  highly_sensitive: 'Harmful if it leaks; must be masked where it leaves the project.',
} as const satisfies Vocabulary;
export type Classification = keyof typeof classifications;

export const watermarkStrategies = {
  bounded_out_of_orderness: 'Events may come late, by at most `max_out_of_orderness_ms`.',
  monotonously_increasing: 'Events come in order; the watermark is the event time itself.',
} as const satisfies Vocabulary;

export const accessLevels = {
  private: 'Models of the same group may refer to it.',
  protected: 'Models of the same project may refer to it.',
  public: 'Everybody may refer to it.',
} as const satisfies Vocabulary;
export type AccessLevel = keyof typeof accessLevels;

export const maskingMethods = {
  hash: 'SHA-256 hash of the value.',
  redact: 'Replaced with `***`.',
  partial: 'A part of the value stays visible.',
  tokenize: 'Replaced with a token that can be reversed.',
  null: 'Replaced with null.',
} as const satisfies Vocabulary;
export type MaskingMethod = keyof typeof maskingMethods;

export const stateBackends = {
  hashmap: 'State in memory.',
  rocksdb: 'State on disk.',
} as const satisfies Vocabulary;

/** Where a job begins to read when it has no state. */
export const jobStarts = {
  earliest: 'At the beginning of each topic.',
  latest: 'At the end: with records that are written from now on.',
  resume: 'Where its consumer group is; at the beginning where there is none.',
} as const satisfies Vocabulary;
export type JobStart = keyof typeof jobStarts;

/** What happens to records when a job fails and goes back to a checkpoint. */
export const deliveryGuarantees = {
  at_least_once: 'None is lost, and some may be written again.',
  exactly_once:
    'Each is written once, in transactions, which readers see at the end of a checkpoint. An outage longer than 15 minutes can lose those of one checkpoint.',
} as const satisfies Vocabulary;
export type DeliveryGuarantee = keyof typeof deliveryGuarantees;

export const compressions = {
  gzip: 'Small, slow.',
  snappy: 'Fast.',
  lz4: 'Fastest.',
  zstd: 'Small and fast.',
} as const satisfies Vocabulary;

/** Connectors that sinks name by a word. */
export const sinkConnectors = {
  'warehouse-sink': 'Tables of a data warehouse.',
  'query-engine-sink': 'Tables of an analytical query engine.',
  'object-store-sink': 'Objects of an object store.',
  'bucket-sink': 'Objects of a cloud bucket.',
  'jdbc-sink': 'Tables of a relational database.',
  'search-sink': 'An index of a search engine.',
  'http-sink': 'Requests to an HTTP endpoint.',
} as const satisfies Vocabulary;
export type SinkConnector = keyof typeof sinkConnectors;

export const testTypes = {
  schema: 'Checked against declarations, without reading records.',
  sample: 'Meant to be checked on a sample of records. Nothing takes samples yet.',
  continuous: 'Runs as a job on the engine, of which compilation writes the statements.',
} as const satisfies Vocabulary;

export const failureSeverities = {
  error: 'A failure fails the run.',
  warning: 'A failure is reported.',
} as const satisfies Vocabulary;

export const exposureTypes = {
  application: 'A service or an application.',
  dashboard: 'A dashboard of a BI tool.',
  ml_training: 'Training of a machine-learning model.',
  ml_inference: 'Inference with a machine-learning model.',
  api: 'An API.',
} as const satisfies Vocabulary;

export const exposureRoles = {
  producer: 'Writes what the project reads.',
  consumer: 'Reads what the project writes.',
  both: 'Writes and reads.',
} as const satisfies Vocabulary;

/** What a model becomes. Inferred, never written. */
export const materializations = {
  engine: 'A job on the engine: windows, GROUP BY, joins and whatever else needs state.',
  topic: 'A topic, filled by a simple SELECT.',
  virtual_topic: 'A view of a topic in the gateway.',
  sink: 'A connector that writes to another system.',
} as const satisfies Vocabulary;
export type Materialization = keyof typeof materializations;
