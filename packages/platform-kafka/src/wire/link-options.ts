import type { ConnectionOptions } from 'node:tls';
import type { Clock } from '@levada/connect-runtime-core';
import type { SASLOptions } from 'kafkajs';

/** What every connection to the brokers of a cluster has in common. */
export interface LinkOptions {
  /** Sent with each request; Kafka's `client.id`. */
  readonly clientId: string;
  /** Present: TLS. `servername` is the host unless given here. */
  readonly tls?: ConnectionOptions;
  /** Present: sign on with SASL. */
  readonly sasl?: SASLOptions;
  /** From dialling to the end of sign-on. Kafka's `socket.connection.setup.timeout.ms`; default: 10 000. */
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
