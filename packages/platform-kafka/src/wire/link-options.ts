import type { ConnectionOptions } from 'node:tls';
import type { Clock } from '@levada/connect-runtime-core';

/** How to sign on with SASL, by Kafka's `sasl.mechanism`. */
export type SaslOptions =
  | {
      readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
      readonly username: string;
      readonly password: string;
    }
  | {
      readonly mechanism: 'OAUTHBEARER';
      /** Called with each sign-on, also when a session is renewed. Waited for no longer than `connectionTimeoutMs`. */
      readonly token: () => Promise<OAuthToken>;
    };

/** A token of OAuth 2.0, with the extensions of KIP-342. */
export interface OAuthToken {
  readonly value: string;
  readonly extensions?: Readonly<Record<string, string>>;
}

/** What every connection to the brokers of a cluster has in common. */
export interface LinkOptions {
  /** Sent with each request; Kafka's `client.id`. */
  readonly clientId: string;
  /** Present: TLS. `servername` is the host unless given here. */
  readonly tls?: ConnectionOptions;
  /** Present: sign on with SASL. */
  readonly sasl?: SaslOptions;
  /** From dialling to the end of sign-on, and for each renewal of it. Kafka's `socket.connection.setup.timeout.ms`; default: 10 000. */
  readonly connectionTimeoutMs?: number;
  /** How long an answer may take before the connection is given up. Kafka's `request.timeout.ms`; default: 30 000. */
  readonly requestTimeoutMs?: number;
  readonly clock: Clock;
}

/** Where a broker listens. */
export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
}

/** `host:port`, `[v6]:port` as an address; undefined when it is neither. */
export function brokerAddress(text: string): BrokerAddress | undefined {
  const found = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text.trim());
  const host = found?.[1] ?? found?.[2];
  const port = Number(found?.[3]);
  return host !== undefined && port > 0 && port < 65_536 ? { host, port } : undefined;
}
