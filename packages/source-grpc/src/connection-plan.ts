import type { SecureContextOptions } from 'node:tls';
import { type Printable, printable } from '@levada/connect-runtime-core';
import { callMetadata } from './call-metadata.ts';
import type { GrpcConfig } from './config.ts';
import { statusesOf } from './status-list.ts';
import type { ChannelOptions, Endpoint, MetadataEntry } from './transport/channel.ts';
import type { StatusName } from './transport/grpc-status.ts';

/** The part of a stream's options that follows from the configuration alone. */
export interface ConnectionPlan {
  readonly channel: Omit<ChannelOptions, 'signal' | 'clock'>;
  readonly metadata: readonly MetadataEntry[];
  readonly failOn: ReadonlySet<StatusName>;
  /** Makes what the server says fit for a log: without control characters, without our own secrets. */
  readonly print: Printable;
}

/** What to connect to and how. `tls` are the files, read before; `keepaliveFactor` is above 1 after complaints of the server. */
export function connectionPlan(
  config: GrpcConfig,
  {
    endpoint,
    tls,
    keepaliveTimeMs,
  }: { endpoint: Endpoint; tls: SecureContextOptions; keepaliveTimeMs: number },
): ConnectionPlan {
  const metadata = callMetadata({ text: config['grpc.metadata'], named: config['grpc.metadata.'] });
  return {
    channel: {
      endpoint,
      authority: config['grpc.authority'] ?? undefined,
      tls: config['grpc.tls.enabled'] ? { ...tls, rejectUnauthorized: config['grpc.tls.verify'] } : undefined,
      connectTimeoutMs: config['grpc.connection.timeout.ms'],
      keepaliveTimeMs,
      keepaliveTimeoutMs: config['grpc.keepalive.timeout.ms'],
    },
    metadata,
    failOn: statusesOf(config['grpc.fail.on.status']),
    print: printable(secretsOf(config, metadata)),
  };
}

/** Texts that must not come back to light through what a server says. */
function secretsOf(config: GrpcConfig, metadata: readonly MetadataEntry[]): readonly string[] {
  const values = metadata.flatMap(([, value]) =>
    typeof value === 'string' ? [value, value.replace(/^(Bearer|Basic) +/i, '')] : [],
  );
  return [...values, config['grpc.oauth2.client.secret']?.reveal() ?? ''];
}
