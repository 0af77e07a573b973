// The messages that members of a Kafka Connect group exchange through the group coordinator. Classic Kafka primitives,
// big-endian: a text is an int16 length and UTF-8, bytes are an int32 length and the bytes.
import {
  type GroupProtocol,
  type GroupWork,
  groupProtocols,
  parseTaskKey,
  taskKey,
} from '@levada/connect-runtime-core/platform';
import { ByteReader } from '../wire/byte-reader.ts';
import { ByteWriter } from '../wire/byte-writer.ts';
import { difference, noWork, type Running, union } from './work.ts';

/** Kafka's protocol type for groups of Connect workers. */
export const PROTOCOL_TYPE = 'connect';

/** Connect's group protocols, preferred ones first, with their message version. */
export const protocolVersions = { sessioned: 2, compatible: 1, default: 0 } as const;

export type ProtocolName = keyof typeof protocolVersions;

/** The group protocols that a worker offers: that of its `connect.protocol`, and those of older workers. */
export function offeredProtocols(protocol: GroupProtocol): readonly ProtocolName[] {
  const names = ['sessioned', 'compatible', 'default'] as const;
  return names.slice(groupProtocols.indexOf(protocol));
}

/** The `connect.protocol` of a group protocol. */
export function modeOf(name: ProtocolName): GroupProtocol {
  return name === 'default' ? 'eager' : name;
}

/** Metadata that a worker sends when it joins. */
export interface MemberMetadata {
  /** Base URL of its REST interface, with trailing slash. */
  readonly url: string;
  /** Offset after the last applied record of the config topic; -1: none. */
  readonly configOffset: number;
  /** Its running work; undefined if it runs nothing, or if it uses the eager protocol, in which all work stops first. */
  readonly allocation: MemberAssignment | undefined;
}

/** The leader's assignment for a worker. */
export interface MemberAssignment {
  /** False if the leader has an older state of the config topic than a member, and assigns nothing this time. */
  readonly configMatches: boolean;
  /** Member id of the leader. */
  readonly leader: string;
  readonly leaderUrl: string;
  /** Offset of the config topic that the assignment is based on; -1: none. */
  readonly configOffset: number;
  /** Work to start in addition. In the eager protocol, and in the allocation of a member, all its work. */
  readonly assigned: GroupWork;
  /** Work to stop. The member confirms that by joining again at once. */
  readonly revoked: GroupWork;
  /** Time in milliseconds after which all members join again; 0: not needed. */
  readonly delayMs: number;
}

/** The work of a worker after an assignment. */
export function workAfter(
  { assigned, revoked }: MemberAssignment,
  running: Running,
  protocol: ProtocolName,
): GroupWork {
  if (protocol === 'default') return assigned;
  return union([difference(running === 'all' ? noWork : running, revoked), assigned]);
}

/** Connect's task number of the connector itself. */
const CONNECTOR = -1;
const NO_ERROR = 0;
const CONFIG_MISMATCH = 1;

/** The metadata of a member in the version of its group protocol. */
export function encodeMetadata(version: number, { url, configOffset, allocation }: MemberMetadata): Buffer {
  const writer = new ByteWriter();
  writer.int16(version);
  writer.text(url);
  writer.int64(BigInt(configOffset));
  if (version === 0) return writer.written;
  const bytes = allocation === undefined ? undefined : encodeAssignment(version, allocation);
  writer.int32(bytes?.length ?? -1);
  if (bytes !== undefined) writer.bytes(bytes);
  return writer.written;
}

/** Decodes the metadata of a member. Throws a RangeError for invalid bytes. */
export function decodeMetadata(bytes: Buffer): MemberMetadata {
  const reader = new ByteReader(bytes);
  const version = versionOf(reader);
  const url = requireText(reader.text(), 'URL');
  const configOffset = reader.int64();
  const allocation = version === 0 || reader.left === 0 ? null : reader.bytes(reader.int32());
  // A worker that has just started sends an empty array instead of none
  const hasAllocation = allocation !== null && allocation.length > 0;
  return { url, configOffset, allocation: hasAllocation ? decodeAssignment(allocation) : undefined };
}

/** Encodes an assignment in the version of the group protocol. */
export function encodeAssignment(version: number, assignment: MemberAssignment): Buffer {
  const { configMatches, leader, leaderUrl, configOffset, assigned, revoked, delayMs } = assignment;
  const writer = new ByteWriter();
  writer.int16(version);
  writer.int16(configMatches ? NO_ERROR : CONFIG_MISMATCH);
  writer.text(leader);
  writer.text(leaderUrl);
  writer.int64(BigInt(configOffset));
  writeWork(writer, assigned);
  if (version === 0) return writer.written;
  writeWork(writer, revoked);
  writer.int32(delayMs);
  return writer.written;
}

/** Decodes an assignment. Throws a RangeError for invalid bytes. */
export function decodeAssignment(bytes: Buffer): MemberAssignment {
  const reader = new ByteReader(bytes);
  const version = versionOf(reader);
  const error = reader.int16();
  if (error !== NO_ERROR && error !== CONFIG_MISMATCH)
    throw new RangeError(`an assignment has the unknown error code ${error}`);
  return {
    configMatches: error === NO_ERROR,
    leader: requireText(reader.text(), 'leader'),
    leaderUrl: requireText(reader.text(), 'leader URL'),
    configOffset: reader.int64(),
    assigned: workFrom(reader),
    revoked: version === 0 || reader.left === 0 ? noWork : workFrom(reader),
    delayMs: version === 0 || reader.left === 0 ? 0 : reader.int32(),
  };
}

function versionOf(reader: ByteReader): number {
  const version = reader.int16();
  if (version < 0) throw new RangeError(`unknown version ${version} of a message of the group`);
  return version;
}

function requireText(value: string | null, what: string): string {
  if (value === null) throw new RangeError(`a message of the group has no ${what}`);
  return value;
}

/** Connectors with the numbers of their tasks. */
function writeWork(writer: ByteWriter, { connectors, tasks }: GroupWork): void {
  const numbers = new Map([...connectors].map((name) => [name, [CONNECTOR]]));
  for (const key of tasks) {
    const { connector, task: number } = parseTaskKey(key);
    const known = numbers.get(connector);
    if (known === undefined) numbers.set(connector, [number]);
    else known.push(number);
  }
  writer.int32(numbers.size);
  for (const [name, own] of numbers) {
    writer.text(name);
    writer.int32(own.length);
    for (const number of own) writer.int32(number);
  }
}

function workFrom(reader: ByteReader): GroupWork {
  const connectors = new Set<string>();
  const tasks = new Set<string>();
  const rows = reader.list(() => ({
    name: requireText(reader.text(), 'connector name'),
    numbers: reader.list(() => reader.int32()),
  }));
  for (const { name, numbers } of rows) {
    for (const number of numbers) {
      if (number < CONNECTOR) throw new RangeError(`unknown task number ${number} of connector "${name}"`);
      if (number === CONNECTOR) connectors.add(name);
      else tasks.add(taskKey(name, number));
    }
  }
  return { connectors, tasks };
}
