import type { SecureContextOptions } from 'node:tls';
import { type ProxySettings, proxyFor } from '@levada/connect-runtime-core/source-kit';
import type { StatusName } from '@levada/grpc-wire';
import type { Endpoint } from '../model/endpoints.ts';
import { callMetadata } from '../request/call-metadata.ts';
import type { ChannelOptions, MetadataEntry } from '../transport/channel.ts';
import type { GrpcConfig } from './config.ts';
import { statusesOf } from './status-list.ts';

/** The part of a stream's options that follows from the configuration alone. */
export interface ConnectionPlan {
  readonly channel: Omit<ChannelOptions, 'signal' | 'clock'>;
  readonly metadata: readonly MetadataEntry[];
  readonly failOn: ReadonlySet<StatusName>;
  /** Texts that must not come back to light through what a server says. */
  readonly secrets: readonly string[];
}

export interface PlanContext {
  readonly endpoint: Endpoint;
  /** The files, read before. */
  readonly tls: SecureContextOptions;
  /** Above what was configured after complaints of a server. */
  readonly keepaliveTimeMs: number;
  /** Where proxies may be named. */
  readonly environment: ProxySettings['environment'];
}

export function connectionPlan(config: GrpcConfig, context: PlanContext): ConnectionPlan {
  const { endpoint, tls, keepaliveTimeMs, environment } = context;
  const metadata = callMetadata({ text: config['grpc.metadata'], named: config['grpc.metadata.'] });
  return {
    channel: {
      endpoint,
      authority: config['grpc.authority'] ?? undefined,
      tls: config['grpc.tls.enabled'] ? { ...tls, rejectUnauthorized: config['grpc.tls.verify'] } : undefined,
      proxy: proxyFor(
        { ...endpoint, secure: config['grpc.tls.enabled'] },
        proxySettings(config, environment),
      ),
      connectTimeoutMs: config['grpc.connection.timeout.ms'],
      keepaliveTimeMs,
      keepaliveTimeoutMs: config['grpc.keepalive.timeout.ms'],
      calls: {
        maxMessageBytes: config['grpc.max.inbound.message.size'],
        compression: config['grpc.compression'] as 'identity' | 'gzip',
      },
    },
    metadata,
    failOn: statusesOf(config['grpc.fail.on.status']),
    secrets: secretsOf(config, metadata),
  };
}

export function proxySettings(config: GrpcConfig, environment: ProxySettings['environment']): ProxySettings {
  return {
    prefix: 'grpc',
    url: config['grpc.proxy.url'],
    username: config['grpc.proxy.username'],
    password: config['grpc.proxy.password']?.reveal() ?? null,
    environment,
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
