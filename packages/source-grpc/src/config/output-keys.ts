import type { ConfigKey } from '@levada/connect-runtime-core';
import { oneOf, optional, topicName } from '@levada/connect-runtime-core/config';
import { partOfMessage } from './message-pointer.ts';

export const outputKeys = [
  {
    name: 'grpc.message.format',
    type: 'string',
    default: 'json',
    importance: 'medium',
    documentation:
      'What a record holds: json (text, ProtoJSON), or protobuf (schema BYTES, the message as it came).',
    validator: oneOf('json', 'protobuf'),
    recommend: () => ['json', 'protobuf'],
    group: 'Output',
    option: 'format',
  },
  {
    name: 'grpc.json.proto.names',
    type: 'boolean',
    default: false,
    importance: 'low',
    documentation: 'Whether fields have their names from the .proto instead of lowerCamelCase.',
    group: 'JSON',
    option: 'jsonProtoNames',
  },
  {
    name: 'grpc.json.enums.as.integers',
    type: 'boolean',
    default: false,
    importance: 'low',
    documentation: 'Whether enums are written as numbers instead of names.',
    group: 'JSON',
    option: 'jsonEnumsAsIntegers',
  },
  {
    name: 'grpc.json.omit.defaults',
    type: 'boolean',
    default: false,
    importance: 'low',
    documentation: 'Whether fields without presence are left out when they hold their default.',
    group: 'JSON',
    option: 'jsonOmitDefaults',
  },
  {
    name: 'grpc.json.safe.integers.as.numbers',
    type: 'boolean',
    default: false,
    importance: 'low',
    documentation:
      'Whether 64-bit integers within 2^53 - 1 are written as numbers; beyond they stay text, as all are otherwise.',
    group: 'JSON',
    option: 'jsonSafeIntegersAsNumbers',
  },
  {
    name: 'grpc.json.invalid.utf8',
    type: 'string',
    default: 'reject',
    importance: 'low',
    documentation:
      'How a message with a string that is not UTF-8 is handled: reject (it cannot be converted), or replace with U+FFFD.',
    validator: oneOf('reject', 'replace'),
    recommend: () => ['reject', 'replace'],
    group: 'JSON',
    option: 'jsonInvalidUtf8',
  },
  {
    name: 'grpc.record.key',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'JSON pointer (RFC 6901) into the message as JSON, such as /customer/id, to what becomes the key. A message without it has key null.',
    validator: optional(partOfMessage),
    group: 'Output',
    option: 'key',
  },
  {
    name: 'record.headers.enabled',
    type: 'boolean',
    default: false,
    importance: 'low',
    documentation: 'Whether records have the headers session.id, sequence and received.at.',
    group: 'Output',
    option: 'headers',
  },
  {
    name: 'grpc.dead.letter.topic',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Topic for messages that cannot be converted, as base64 text with headers that say why. Without it they are dropped and counted.',
    validator: optional(topicName),
    group: 'Output',
    option: 'deadLetterTopic',
  },
] as const satisfies readonly ConfigKey[];
