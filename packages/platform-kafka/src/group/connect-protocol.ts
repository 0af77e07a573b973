// The bytes that members of a Kafka Connect group exchange through the group coordinator.
// Classic Kafka primitives, big-endian: a text is an int16 length and UTF-8, bytes are an int32 length and the bytes.
import { ByteReader } from '../wire/byte-reader.ts';

/** Kafka's protocol type for groups of Connect workers. */
export const PROTOCOL_TYPE = 'connect';

/** Connect's group protocols, in the order in which a worker prefers them, with the version of their messages. */
export const protocolVersions = { sessioned: 2, compatible: 1, default: 0 } as const;

/** Name of a group protocol of Connect. */
export type ProtocolName = keyof typeof protocolVersions;

/** What a worker tells the group about itself. */
export interface MemberMetadata {
  /** Base URL of its REST interface, with trailing slash. */
  readonly url: string;
  /** Offset after the last record of the config topic that it has applied; -1: none. */
  readonly configOffset: number;
}

/** What the leader tells a worker to run. */
export interface MemberAssignment {
  /** Member id of the leader. */
  readonly leader: string;
  readonly leaderUrl: string;
  /** Offset of the config topic that the assignment was made from; -1: none. */
  readonly configOffset: number;
}

/** The metadata of a member in one version. It reports no connectors or tasks that it runs already. */
export function encodeMetadata(version: number, { url, configOffset }: MemberMetadata): Buffer {
  const parts = [int16(version), text(url), int64(configOffset)];
  return Buffer.concat(version === 0 ? parts : [...parts, int32(-1)]);
}

/** Reads the metadata of a member. Throws a RangeError for bytes that are none. */
export function decodeMetadata(bytes: Buffer): MemberMetadata {
  const reader = new ByteReader(bytes);
  const version = reader.int16();
  if (version < 0) throw new RangeError(`unknown version ${version} of the metadata of a member`);
  const url = reader.text();
  if (url === null) throw new RangeError('the metadata of a member has no URL');
  return { url, configOffset: reader.int64() };
}

/** An assignment that names no single connector: a worker without other members runs all that are configured. */
export function encodeAssignment(version: number, assignment: MemberAssignment): Buffer {
  const { leader, leaderUrl, configOffset } = assignment;
  const noError = int16(0);
  const assigned = int32(0);
  const parts = [int16(version), noError, text(leader), text(leaderUrl), int64(configOffset), assigned];
  if (version === 0) return Buffer.concat(parts);
  const revoked = int32(0);
  const delayMs = int32(0);
  return Buffer.concat([...parts, revoked, delayMs]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([int16(bytes.length), bytes]);
}
