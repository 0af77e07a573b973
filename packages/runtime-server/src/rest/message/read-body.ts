import type { RawConfig } from '@levada/connect-runtime-core';
import { javaTrim } from '@levada/connect-runtime-core/config';
import type { OffsetChange, OffsetValue } from '@levada/connect-runtime-core/contract';
import type { TargetState } from '@levada/connect-worker';
import type { JsonNode } from './parse-json.ts';
import { readJson, readObject } from './read-json.ts';
import { BodyError, RestError } from './rest-error.ts';

/** What `POST /connectors` asks for. */
export interface CreateRequest {
  /** Without surrounding blanks and control characters; empty when there was none. */
  readonly name: string;
  readonly config: RawConfig;
  readonly initialState: TargetState | undefined;
}

const initialStates = new Map<string, TargetState>([
  ['RUNNING', 'STARTED'],
  ['PAUSED', 'PAUSED'],
  ['STOPPED', 'STOPPED'],
]);

/** The body of `POST /connectors`. */
export function readCreateRequest(body: Uint8Array): CreateRequest {
  const entries = readObject(body);
  for (const key of entries.keys()) {
    if (key !== 'name' && key !== 'config' && key !== 'initial_state') throw unknownField(key);
  }
  const name = entries.get('name');
  const config = entries.get('config');
  if (config === undefined || config.kind === 'null')
    throw new BodyError('"config" is missing, expected an object');
  return {
    name: name === undefined ? '' : javaTrim(textOf(name, 'name') ?? ''),
    config: configOf(config, 'config'),
    initialState: initialStateOf(entries.get('initial_state')),
  };
}

/** A connector configuration: numbers and booleans become text, null stays. */
export function readConfig(body: Uint8Array): RawConfig {
  return Object.fromEntries([...readObject(body)].map(([key, node]) => [key, textOf(node, key)]));
}

/** The body of `POST /connectors/{c}/tasks`: a configuration for each task. */
export function readConfigs(body: Uint8Array): readonly RawConfig[] {
  const node = readJson(body);
  if (node.kind !== 'array') throw wrongKind(node, 'request body', 'an array');
  return node.items.map((item, index) => configOf(item, `[${index}]`));
}

/** The body of `PATCH /connectors/{c}/offsets`. */
export function readOffsetChanges(body: Uint8Array): readonly OffsetChange[] {
  const entries = readObject(body);
  for (const key of entries.keys()) if (key !== 'offsets') throw unknownField(key);
  const list = entries.get('offsets');
  if (list === undefined || list.kind === 'null') return [];
  if (list.kind !== 'array') throw wrongKind(list, 'offsets', 'an array');
  return list.items.map((item, index) => offsetChange(item, `offsets[${index}]`));
}

/** The body of `PUT /admin/loggers/{l}`, texts by name: the level as it was written. */
export function readLevel(body: Uint8Array): string {
  const fields = readConfig(body);
  const text = Object.hasOwn(fields, 'level') ? fields['level'] : null;
  if (text === null || text === undefined)
    throw new RestError(400, "Desired 'level' parameter was not specified in request.");
  return text;
}

function offsetChange(node: JsonNode, where: string): OffsetChange {
  if (node.kind !== 'object') throw wrongKind(node, where, 'an object');
  for (const key of node.entries.keys()) {
    if (key !== 'partition' && key !== 'offset') throw unknownField(`${where}.${key}`);
  }
  return {
    partition: flatMap(node.entries.get('partition'), `${where}.partition`),
    offset: flatMap(node.entries.get('offset'), `${where}.offset`),
  };
}

function flatMap(node: JsonNode | undefined, where: string): Readonly<Record<string, OffsetValue>> | null {
  if (node === undefined || node.kind === 'null') return null;
  if (node.kind !== 'object') throw wrongKind(node, where, 'an object or null');
  return Object.fromEntries([...node.entries].map(([key, value]) => [key, scalar(value, `${where}.${key}`)]));
}

function scalar(node: JsonNode, where: string): OffsetValue {
  switch (node.kind) {
    case 'string':
    case 'boolean':
      return node.value;
    case 'null':
      return null;
    case 'number':
      return exactNumber(node.text, where);
    case 'object':
    case 'array':
      throw wrongKind(node, where, 'a string, number, boolean or null');
    default:
      return node satisfies never;
  }
}

function exactNumber(text: string, where: string): number {
  const value = Number(text);
  const integer = /^-?\d+$/.test(text);
  if (!Number.isFinite(value) || (integer && !Number.isSafeInteger(value))) {
    throw new RestError(
      400,
      `"${where}" is ${text.slice(0, 80)}, which is outside the range of exact numbers`,
    );
  }
  return value;
}

function configOf(node: JsonNode, where: string): RawConfig {
  if (node.kind !== 'object') throw wrongKind(node, where, 'an object');
  return Object.fromEntries([...node.entries].map(([key, value]) => [key, textOf(value, `${where}.${key}`)]));
}

function textOf(node: JsonNode, where: string): string | null {
  switch (node.kind) {
    case 'string':
      return node.value;
    case 'number':
      return node.text;
    case 'boolean':
      return String(node.value);
    case 'null':
      return null;
    case 'object':
    case 'array':
      throw wrongKind(node, where, 'a string');
    default:
      return node satisfies never;
  }
}

function initialStateOf(node: JsonNode | undefined): TargetState | undefined {
  const text = node === undefined ? null : textOf(node, 'initial_state');
  if (text === null) return undefined;
  const state = initialStates.get(text.toUpperCase());
  if (state !== undefined) return state;
  throw new BodyError(`"initial_state" is "${text.slice(0, 80)}", expected one of RUNNING, PAUSED, STOPPED`);
}

const tokens = { object: 'START_OBJECT', array: 'START_ARRAY' } as const;

function wrongKind(node: JsonNode, where: string, expected: string): BodyError {
  const token =
    node.kind === 'object' || node.kind === 'array' ? tokens[node.kind] : `VALUE_${node.kind.toUpperCase()}`;
  const strict =
    expected === 'a string'
      ? `Cannot deserialize value of type \`java.lang.String\` from ${node.kind === 'array' ? 'Array' : 'Object'} value (token \`JsonToken.${token}\`)`
      : `Cannot construct instance of the value of "${where}" from token \`JsonToken.${token}\``;
  return new BodyError(`"${where.slice(0, 200)}" must be ${expected}, found ${node.kind}`, strict);
}

function unknownField(key: string): BodyError {
  const shown = key.slice(0, 80);
  return new BodyError(
    `"${shown}" is not a field of this request`,
    `Unrecognized field "${shown}" (class org.apache.kafka.connect.runtime.rest.entities.CreateConnectorRequest), not marked as ignorable`,
  );
}
