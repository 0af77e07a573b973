// Writes Kafka's message definitions as tables and types that platform-kafka's wire folder reads. With --check it writes nothing, and
// fails when the module differs from what it would write.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fieldRows } from './field-rows.mjs';
import { interfaceText } from './interface-text.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const definitions = `${root}packages/platform-kafka/definitions/`;
const file = 'packages/platform-kafka/src/wire/gen/messages.ts';

/**
 * The requests that are made. `newest`: the last version that a client like ours is to send, where a later one means something
 * else; types leave out what appears only after it.
 */
const requests = [
  { name: 'ApiVersions' },
  // From 12 on, topics may be asked for by id, and have no name then.
  { name: 'Metadata', newest: 11 },
  // Version 5 and later belong to transactions whose epoch every end raises (KIP-890).
  { name: 'InitProducerId', newest: 4 },
  // Brokers send version 4 and later to each other.
  { name: 'AddPartitionsToTxn', newest: 3 },
  // As InitProducerId.
  { name: 'EndTxn', newest: 4 },
  { name: 'CreateTopics' },
  { name: 'DescribeConfigs' },
  { name: 'ListOffsets' },
  // From 13 on, topics have ids in place of names.
  { name: 'Fetch', newest: 12 },
  // From 4 on, several coordinators are asked for at once.
  { name: 'FindCoordinator', newest: 3 },
  { name: 'JoinGroup' },
  { name: 'SyncGroup' },
  { name: 'Heartbeat' },
  // From 3 on, several members leave at once.
  { name: 'LeaveGroup', newest: 2 },
  { name: 'SaslHandshake' },
  { name: 'SaslAuthenticate' },
];

const check = process.argv.includes('--check');
const text = formatted(moduleText());
if (before() !== text) {
  const outcome = check ? 'differs from the definitions, run "pnpm run generate"' : 'written';
  process.stdout.write(`${file}: ${outcome}\n`);
  if (check) process.exitCode = 1;
  else writeFileSync(root + file, text);
}

function moduleText() {
  const apis = requests.map(apiOf);
  return [
    "// Written by tools/kafka-messages/generate.mjs from Apache Kafka's message definitions: do not change by hand.",
    '// The definitions, and the descriptions taken from them, are licensed to the Apache Software Foundation under the Apache License 2.0.',
    '',
    "import type { ApiTable, MessageTable } from '../message-table.ts';",
    '',
    ...apis.flatMap(({ request, response, newest }) =>
      [request, response].map((definition) => interfaceText(definition, newest)),
    ),
    '/** Arguments and answer of each request. */',
    'export interface KafkaCalls {',
    ...apis.map(
      ({ name }) => `readonly ${name}: { readonly args: ${name}Request; readonly answer: ${name}Response };`,
    ),
    '}',
    '',
    '/** The first bytes of a request after its length. */',
    `export const requestHeader: MessageTable = ${tableText(definition('RequestHeader'))};`,
    '',
    '/** The first bytes of a response after its length. */',
    `export const responseHeader: MessageTable = ${tableText(definition('ResponseHeader'))};`,
    '',
    '/** Requests and responses in all versions that are defined. */',
    'export const kafkaApis: { readonly [Name in keyof KafkaCalls]: ApiTable } = {',
    ...apis.map(
      ({ name, key, newest, request, response }) =>
        `${name}: { key: ${key}, newest: ${newest}, request: ${tableText(request)}, response: ${tableText(response)} },`,
    ),
    '};',
    '',
  ].join('\n');
}

function apiOf({ name, newest }) {
  const request = definition(`${name}Request`);
  const last = rangeEnd(request.validVersions);
  return {
    name,
    key: request.apiKey,
    newest: newest ?? last,
    request,
    response: definition(`${name}Response`),
  };
}

/** A definition is JSON with comments on lines of their own. */
function definition(name) {
  const lines = readFileSync(`${definitions}${name}.json`, 'utf8').split('\n');
  return JSON.parse(lines.filter((line) => !line.trimStart().startsWith('//')).join('\n'));
}

function tableText({ name, validVersions, flexibleVersions, fields, commonStructs = [] }) {
  const flexible = flexibleVersions === 'none' ? '' : `flexible: ${Number.parseInt(flexibleVersions, 10)}, `;
  const versions = `[${validVersions.includes('-') ? validVersions.replace('-', ', ') : `${validVersions}, ${validVersions}`}]`;
  return `{ name: '${name}', versions: ${versions}, ${flexible}fields: [${fieldRows(fields, commonStructs)}] }`;
}

function rangeEnd(versions) {
  return Number(versions.split('-').at(-1));
}

function formatted(source) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`${root}node_modules/@biomejs/biome/bin/biome`, 'format', `--stdin-file-path=${file}`],
    { cwd: root, input: source },
  );
  if (status !== 0) throw new Error(`biome format: ${stderr.toString()}`);
  return stdout.toString();
}

function before() {
  try {
    return readFileSync(root + file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
