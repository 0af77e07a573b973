import type { FileRegistry } from '@bufbuild/protobuf';
import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import type { Channel, MetadataEntry } from '../transport/channel.ts';

/** Asks a server for the files that describe a service. */
export async function reflect(
  _channel: Channel,
  _options: {
    readonly service: string;
    readonly metadata: readonly MetadataEntry[];
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
  },
): Promise<FileRegistry> {
  throw new ConnectorError('unsupported', 'Invalid proto descriptor: grpc.proto.descriptor is not set');
}
