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

/** A Metadata response. */
export type ClusterMetadata = MetadataResponse;
/** A topic in a Metadata response. */
export type TopicMetadata = ClusterMetadata['topics'][number];
/** A partition in a Metadata response. */
export type PartitionMetadata = TopicMetadata['partitions'][number];

/** Versions of a request that a broker supports. */
export interface OfferedVersions {
  readonly minVersion: number;
  readonly maxVersion: number;
}

/** The header of a response after the correlation id. */
const restOfHeader: MessageTable = { ...responseHeader, fields: [] };

/** The newest common version that a client may send; undefined if there is none. */
export function commonVersion(
  name: keyof KafkaCalls,
  offered: OfferedVersions | undefined,
): number | undefined {
  const { newest, request } = kafkaApis[name];
  const version = Math.min(newest, offered?.maxVersion ?? -1);
  return version >= Math.max(request.versions[0], offered?.minVersion ?? 0) ? version : undefined;
}

/** A request in one of its versions. */
export interface EncodableRequest<Name extends keyof KafkaCalls> {
  readonly name: Name;
  readonly version: number;
  readonly correlationId: number;
  readonly clientId: string;
  readonly args: KafkaCalls[Name]['args'];
}

/** Encodes a request as one frame. Throws a RangeError for arguments that do not fit. */
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

/** Decodes a response after the correlation id. Throws a RangeError if it is invalid. */
export function decodeResponse<Name extends keyof KafkaCalls>(
  name: Name,
  asked: number,
  payload: Buffer,
): KafkaCalls[Name]['answer'] {
  const { response } = kafkaApis[name];
  const reader = new ByteReader(payload);
  const isVersions = name === 'ApiVersions';
  // The header of this response is never flexible, because the client does not know the broker's versions yet. A broker that does
  // not know the version answers in version 0 (KIP-511)
  const version = isVersions && payload.readInt16BE(0) === errorCodes.UNSUPPORTED_VERSION ? 0 : asked;
  if (!isVersions && isFlexible(response, version)) readMessage(reader, restOfHeader, 1);
  const answer = readMessage(reader, response, version);
  if (reader.left > 0) throw new RangeError(`${reader.left} bytes are left after the answer`);
  return answer as KafkaCalls[Name]['answer'];
}
