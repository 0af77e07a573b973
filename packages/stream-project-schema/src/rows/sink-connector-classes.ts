import type { SinkConnector } from '../fields/vocabulary.ts';

/** The connector that a word of `sink.connector` stands for. */
export interface SinkConnectorClass {
  readonly className: string;
  /** The project that maintains it. */
  readonly project: string;
  /** The first release of that project with this class. */
  readonly since: string;
  /** What users of another release have to know, as a sentence. */
  readonly note?: string;
  /**
   * What the connector needs to read records without a schema, such as JSON: keys of configuration, or `never` where none helps.
   * Absent for one that reads them as they are.
   */
  readonly withoutSchema?: 'never' | Readonly<Record<string, string>>;
}

/** Keys of a connector that writes rows of tables by primary keys. */
export interface TableSinkKeys {
  /** Takes `record_key`, `record_value`, `none`. */
  readonly keyMode: string;
  readonly keyFields: string;
  /** It takes changes in the envelope of Debezium apart. Any other connector needs a transformation for that. */
  readonly readsChanges?: true;
}

const keysOfJdbc: TableSinkKeys = { keyMode: 'pk.mode', keyFields: 'pk.fields' };

/** Keys of the connectors for relational databases, by class. All have `insert.mode` and `delete.enabled`, and read no record without a schema. */
export const tableSinkKeys: Readonly<Record<string, TableSinkKeys>> = {
  'io.confluent.connect.jdbc.JdbcSinkConnector': keysOfJdbc,
  'io.aiven.connect.jdbc.JdbcSinkConnector': keysOfJdbc,
  'io.debezium.connector.jdbc.JdbcSinkConnector': {
    keyMode: 'primary.key.mode',
    keyFields: 'primary.key.fields',
    readsChanges: true,
  },
};

/**
 * The class of each word of `sink.connector`, where neither the project (`runtime.connect.connector_classes`) nor the caller
 * names another. Chosen are connectors that are maintained, can be downloaded without a contract, and are the usual one for
 * their system.
 */
export const sinkConnectorClasses: Readonly<Record<SinkConnector, SinkConnectorClass>> = {
  'warehouse-sink': {
    className: 'com.snowflake.kafka.connector.SnowflakeStreamingSinkConnector',
    project: 'snowflakedb/snowflake-kafka-connector',
    since: '4.0.0',
    note: 'Releases 3.x have `com.snowflake.kafka.connector.SnowflakeSinkConnector` instead.',
  },
  'query-engine-sink': {
    className: 'com.wepay.kafka.connect.bigquery.BigQuerySinkConnector',
    project: 'Aiven-Open/bigquery-connector-for-apache-kafka',
    since: '0.4.0',
  },
  'object-store-sink': {
    className: 'io.confluent.connect.s3.S3SinkConnector',
    project: 'confluentinc/kafka-connect-storage-cloud',
    since: '3.2.0',
  },
  'bucket-sink': {
    className: 'io.aiven.kafka.connect.gcs.GcsSinkConnector',
    project: 'Aiven-Open/cloud-storage-connectors-for-apache-kafka',
    since: '3.0.0',
  },
  'jdbc-sink': {
    className: 'io.confluent.connect.jdbc.JdbcSinkConnector',
    project: 'confluentinc/kafka-connect-jdbc',
    since: '3.1.0',
    withoutSchema: 'never',
  },
  'search-sink': {
    className: 'io.confluent.connect.elasticsearch.ElasticsearchSinkConnector',
    project: 'confluentinc/kafka-connect-elasticsearch',
    since: '3.1.0',
    withoutSchema: { 'schema.ignore': 'true' },
  },
  'http-sink': {
    className: 'io.aiven.kafka.connect.http.HttpSinkConnector',
    project: 'Aiven-Open/http-connector-for-apache-kafka',
    since: '0.1.0',
  },
};
