import { errorCodes } from '../model/broker-errors.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import {
  type KafkaCalls,
  kafkaApis,
  type MetadataResponse,
  requestHeader,
  responseHeader,
} from './gen/messages.ts';
import { readMessage, writeMessage } from './message-codec.ts';
import { isFlexible, type MessageTable } from './message-table.ts';

export type { KafkaCalls } from './gen/messages.ts';

/** The answer to Metadata. */
export type ClusterMetadata = MetadataResponse;
/** A topic in the answer to Metadata. */
export type TopicMetadata = ClusterMetadata['topics'][number];
/** A partition in the answer to Metadata. */
export type PartitionMetadata = TopicMetadata['partitions'][number];

/** Versions of a request that a broker offers. */
export interface OfferedVersions {
  readonly minVersion: number;
  readonly maxVersion: number;
}

/** What follows the correlation id in the header of a response. */
const restOfHeader: MessageTable = { ...responseHeader, fields: [] };

/** The newest version that both sides know and that a client is to send; undefined when there is none. */
export function commonVersion(
  name: keyof KafkaCalls,
  offered: OfferedVersions | undefined,
): number | undefined {
  const { newest, request } = kafkaApis[name];
  const version = Math.min(newest, offered?.maxVersion ?? -1);
  return version >= Math.max(request.versions[0], offered?.minVersion ?? 0) ? version : undefined;
}

/** One request in one of its versions. */
export interface EncodableRequest<Name extends keyof KafkaCalls> {
  readonly name: Name;
  readonly version: number;
  readonly correlationId: number;
  readonly clientId: string;
  readonly args: KafkaCalls[Name]['args'];
}

/** A request as one frame. Throws a RangeError for arguments that it has no room for. */
export function encodeRequest<Name extends keyof KafkaCalls>(asked: EncodableRequest<Name>): Buffer {
  const { name, version, correlationId, clientId, args } = asked;
  const { key, request } = kafkaApis[name];
  const writer = new ByteWriter();
  writer.int32(0);
  writeMessage(writer, {
    table: requestHeader,
    version: isFlexible(request, version) ? 2 : 1,
    value: { requestApiKey: key, requestApiVersion: version, correlationId, clientId },
  });
  writeMessage(writer, { table: request, version, value: args });
  writer.setLength();
  return writer.written;
}

/** What follows the correlation id in a response, as an answer. Throws a RangeError when it is no such response. */
export function decodeResponse<Name extends keyof KafkaCalls>(
  name: Name,
  asked: number,
  payload: Buffer,
): KafkaCalls[Name]['answer'] {
  const { response } = kafkaApis[name];
  const reader = new ByteReader(payload);
  const isVersions = name === 'ApiVersions';
  // The header of this one is never flexible, because the client cannot know yet what the broker knows; and a broker that does not
  // know the version answers in version 0 (KIP-511).
  const version = isVersions && payload.readInt16BE(0) === errorCodes.UNSUPPORTED_VERSION ? 0 : asked;
  if (!isVersions && isFlexible(response, version)) readMessage(reader, restOfHeader, 1);
  const answer = readMessage(reader, response, version);
  if (reader.left > 0) throw new RangeError(`${reader.left} bytes are left after the answer`);
  return answer as KafkaCalls[Name]['answer'];
}
