import type { CodeTable } from '../../diagnostics/diagnostic.ts';

/** Codes of 4185 to 4189: whether a connector can read and write the records of its sink. */
export const sinkCodes = {
  'sink-needs-schema': {
    code: 'LV4185',
    title: 'Sink that needs a schema over records without one',
    severity: 'error',
    doc: 'Connectors for relational databases make columns of the fields of a schema. JSON of the engine has no schema in its records, nor has Protobuf a number by which a registry finds one, so that no converter makes them readable for such a connector. Write `schema: { format: avro }` in the model that the sink reads; of a source, in a model that selects from it. Where the records of a source have the envelope of `JsonConverter`, or another converter reads them, name it in `sink.config` (`value.converter`, `value.converter.schemas.enable`): the formats are not checked then.',
  },
  'sink-formats': {
    code: 'LV4186',
    title: 'Sink that reads several formats',
    severity: 'error',
    doc: 'A connector has one converter for values and one for keys, and the topics of this sink are written in different formats. Give the models the same `schema.format` and `schema.key_format`, write one sink for each format, or name a converter in `sink.config` that reads all of them.',
  },
  'sink-deletions': {
    code: 'LV4187',
    title: 'Sink that cannot follow deletions',
    severity: 'error',
    doc: 'The rows of the model or source change, so its topic has updates and deletions: a record with a key and without a value. A connector for tables finds the row by the key of the record, for which that needs a schema (`schema: { key_format: avro }`), and `insert.mode: upsert`, `delete.enabled: true` and the key mode `record_key`, which it gets where `sink.config` says nothing else. With other values it fails at the first deletion or keeps rows that are gone. A source with `changelog: debezium` has records with the row before and after each change: the connector of Debezium takes them apart, any other needs the transformation `ExtractNewRecordState`. A sink with a `Filter` transformation is not checked.',
  },
  'sink-key': {
    code: 'LV4188',
    title: 'Sink without a key for its rows',
    severity: 'error',
    doc: 'With `insert.mode: upsert` the connector has to know which columns find a row, and with `delete.enabled: true` it takes them from the key of the record only; without, it refuses its configuration or the first record. Name a `key` in the model that the sink reads, and the key mode in `sink.config` where it is not to follow from that.',
  },
  'sink-drops-records': {
    code: 'LV4189',
    title: 'Sink that drops records',
    severity: 'warning',
    doc: 'With `errors.tolerance: all` the connector skips records that it cannot read or convert, and nothing keeps them. Name a topic for them in `errors.deadletterqueue.topic.name`, or remove the key: a record that cannot be read then ends the task, and is read again when it is restarted.',
  },
} as const satisfies CodeTable;
