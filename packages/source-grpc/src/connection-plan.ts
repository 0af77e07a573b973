import type { SecureContextOptions } from 'node:tls';
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
  /** Texts that must not come back to light through what a server says. */
  readonly secrets: readonly string[];
}

/** What to connect to and how. `tls` are the files, read before; `keepaliveTimeMs` is above what was configured after complaints of a server. */
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
    secrets: secretsOf(config, metadata),
  };
}

function secretsOf(config: GrpcConfig, metadata: readonly MetadataEntry[]): readonly string[] {
  const clientSecret = config['grpc.oauth2.client.secret']?.reveal() ?? '';
  return [...metadata.flatMap(([, value]) => formsOf(value)), clientSecret];
}

/** A value as it was sent, and what it holds. */
function formsOf(value: string | Uint8Array): readonly string[] {
  if (typeof value === 'string') return [value, value.replace(/^(Bearer|Basic) +/i, '')];
  const bytes = Buffer.from(value);
  const base64 = bytes.toString('base64');
  return [base64, base64.replace(/=+$/, ''), bytes.toString()];
}
