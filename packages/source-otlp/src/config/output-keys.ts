import type { ConfigKey } from '@levada/connect-runtime-core';
import { between, oneOf, withMessage } from '@levada/connect-runtime-core/config';
import { headerNames } from './http-validators.ts';

/** What records look like. */
export const outputKeys = [
  {
    name: 'otlp.message.format',
    type: 'string',
    default: 'json',
    importance: 'high',
    documentation:
      'What a record holds: json (OTLP/JSON on one line), or protobuf (the bytes of the request, as base64 text).',
    validator: withMessage(
      'Invalid value for otlp.message.format: expected json or protobuf',
      oneOf('json', 'protobuf'),
    ),
    recommend: () => ['json', 'protobuf'],
    update: 'live',
    group: 'Output',
    option: 'format',
    example: "'protobuf'",
  },
  {
    name: 'otlp.json.style',
    type: 'string',
    default: 'otlp',
    importance: 'low',
    documentation:
      'How JSON is written: otlp (the OTLP specification: lowerCamelCase, hexadecimal ids, enums as numbers), or snake_case (as the connector that this one replaces: names of the .proto, base64 ids, names of enums, defaults included).',
    validator: oneOf('otlp', 'snake_case'),
    recommend: () => ['otlp', 'snake_case'],
    update: 'live',
    group: 'Output',
    option: 'jsonStyle',
    example: "'snake_case'",
  },
  {
    name: 'otlp.protobuf.encoding',
    type: 'string',
    default: 'base64',
    importance: 'low',
    documentation:
      'How the protobuf format is written: base64 (text), or binary (schema BYTES; with value.converter=ByteArrayConverter it is what the Collector calls otlp_proto).',
    validator: oneOf('base64', 'binary'),
    recommend: () => ['base64', 'binary'],
    update: 'live',
    group: 'Output',
    option: 'protobufEncoding',
    optionDocumentation:
      'How the protobuf format is written: base64 (text), or binary (a Uint8Array of the request as it came).',
    example: "'binary'",
  },
  {
    name: 'otlp.record.mode',
    type: 'string',
    default: 'request',
    importance: 'medium',
    documentation:
      'What becomes one record: a whole export (request), each of its resources (resource), or each span, metric or log record (item). A record is a valid export of its own in each case, with resource and scope. Profiles are not divided.',
    validator: oneOf('request', 'resource', 'item'),
    recommend: () => ['request', 'resource', 'item'],
    update: 'live',
    group: 'Output',
    option: 'recordMode',
    example: "'item'",
  },
  {
    name: 'otlp.record.key',
    type: 'string',
    default: 'none',
    importance: 'low',
    documentation:
      'Key of records: none, service_name (attribute service.name of the resource; needs otlp.record.mode=resource or item), or trace_id (hexadecimal; needs item). A record without it has key null.',
    validator: oneOf('none', 'service_name', 'trace_id'),
    recommend: () => ['none', 'service_name', 'trace_id'],
    update: 'live',
    group: 'Output',
    option: 'key',
    optionDocumentation:
      'Key of records: none, service_name (attribute service.name of the resource; needs recordMode resource or item), or trace_id (hexadecimal; needs item). A record without it has key null.',
    example: "'trace_id'",
  },
  {
    name: 'otlp.record.max.bytes',
    type: 'int',
    default: 1_000_000,
    importance: 'medium',
    documentation:
      'Largest value of a record. A larger export is divided, by resource, scope and item; an item that is larger by itself is rejected (partial_success). Below what the log takes: max.request.size and max.message.bytes.',
    validator: between(1024, 1024 * 1024 * 1024),
    update: 'live',
    group: 'Output',
    option: 'recordMaxBytes',
    optionDocumentation:
      'Largest value of a record. A larger export is divided, by resource, scope and item; an item that is larger by itself is rejected (partial_success). To be below what the records are written to takes.',
    example: '500_000',
  },
  {
    name: 'otlp.invalid.utf8',
    type: 'string',
    default: 'accept',
    importance: 'low',
    documentation:
      'How an export is handled whose text is not Unicode (bytes that are not UTF-8 in protobuf; half a surrogate pair in JSON, which the JavaScript SDK sends where it cuts a long attribute): accept (JSON has U+FFFD in its place, protobuf keeps its bytes), or reject (the whole export). A JSON body must be UTF-8 with either.',
    validator: oneOf('accept', 'reject'),
    recommend: () => ['accept', 'reject'],
    update: 'live',
    group: 'Output',
    option: 'invalidUtf8',
    example: "'reject'",
  },
  {
    name: 'record.headers.enabled',
    type: 'boolean',
    default: false,
    importance: 'low',
    documentation:
      'Whether records have the headers otel_signal_type, otel_encoding, content-type, session.id, sequence and received.at.',
    update: 'live',
    group: 'Output',
    option: 'headers',
    example: 'true',
  },
  {
    name: 'otlp.request.headers',
    type: 'list',
    default: '',
    importance: 'low',
    documentation:
      'Request headers (gRPC: metadata) that become headers of the records, such as x-tenant-id; no others do. Credentials do, too, when they are named: authorization. With otlp.ack.mode=spool they may take 16 MiB on all records of an export; more: 413.',
    validator: headerNames,
    group: 'Output',
    option: 'requestHeaders',
    example: "['x-tenant-id']",
  },
] as const satisfies readonly ConfigKey[];
