import type { ConnectionOptions } from 'node:tls';
import type { Clock } from '@levada/connect-runtime-core';

/** SASL credentials, by Kafka's `sasl.mechanism`. */
export type SaslOptions =
  | {
      readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
      readonly username: string;
      readonly password: string;
    }
  | {
      readonly mechanism: 'OAUTHBEARER';
      /** Called for each authentication, including renewals. Its timeout is `connectionTimeoutMs`. */
      readonly token: () => Promise<OAuthToken>;
    };

/** An OAuth 2.0 token, with the extensions of KIP-342. */
export interface OAuthToken {
  readonly value: string;
  readonly extensions?: Readonly<Record<string, string>>;
}

/** Options of all connections to the brokers of a cluster. */
export interface LinkOptions {
  /** Sent with each request; Kafka's `client.id`. */
  readonly clientId: string;
  /** Enables TLS. `servername` is the host unless given here. */
  readonly tls?: ConnectionOptions;
  /** Enables SASL. */
  readonly sasl?: SaslOptions;
  /** Time for connecting and authenticating, and for each renewal. Kafka's `socket.connection.setup.timeout.ms`; default: 10 000. */
  readonly connectionTimeoutMs?: number;
  /** Timeout of an answer; it ends the connection. Kafka's `request.timeout.ms`; default: 30 000. */
  readonly requestTimeoutMs?: number;
  readonly clock: Clock;
}

/** Host and port of a broker. */
export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
}

/** Parses `host:port` or `[v6]:port`; undefined if invalid. */
export function brokerAddress(text: string): BrokerAddress | undefined {
  const found = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text.trim());
  const host = found?.[1] ?? found?.[2];
  const port = Number(found?.[3]);
  return host !== undefined && port > 0 && port < 65_536 ? { host, port } : undefined;
}
