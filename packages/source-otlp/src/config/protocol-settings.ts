import { isLoopback } from '@levada/connect-runtime-core/source-kit';
import { socketPath } from '../receive/admission/bind-server.ts';
import type { Protocol } from '../receive/admission/wrong-port.ts';
import type { OtlpConfig } from './config.ts';

// What holds for one receiver: its own key where that is set, otherwise the general one.

/** The configured protocols, in the order in which their ports are bound. */
export function protocolsOf(config: OtlpConfig): readonly Protocol[] {
  return (['grpc', 'http'] as const).filter((protocol) => config[`otlp.${protocol}.enabled`]);
}

/** The configured port; 0: the operating system chooses. */
export function portOf(protocol: Protocol, config: OtlpConfig): number {
  return config['otlp.any.port'].includes(protocol) ? 0 : config[`otlp.${protocol}.port`];
}

/** The address that a receiver is bound to. */
export function addressOf(protocol: Protocol, config: OtlpConfig): string {
  return config[`otlp.${protocol}.bind.address`] ?? config['otlp.bind.address'];
}

/** The addresses of all receivers, each once. */
export function addressesOf(config: OtlpConfig): string {
  return [...new Set(protocolsOf(config).map((protocol) => addressOf(protocol, config)))].join(', ');
}

/** Whether a receiver uses TLS. */
export function usesTls(protocol: Protocol, config: OtlpConfig): boolean {
  return config[`otlp.${protocol}.tls.enabled`] ?? config['otlp.tls.enabled'];
}

/** A TLS file of a receiver, with the key that names it. */
export function tlsPath(
  protocol: Protocol,
  part: 'cert' | 'key' | 'client.ca',
  config: OtlpConfig,
): { readonly key: string; readonly value: string | null } {
  const [own, general] = [`otlp.${protocol}.tls.${part}.path`, `otlp.tls.${part}.path`] as const;
  return config[own] === null ? { key: general, value: config[general] } : { key: own, value: config[own] };
}

/** The addresses at which every client that reaches the machine can send. TLS alone authenticates no client. */
export function openAddresses(config: OtlpConfig): readonly string[] {
  const credentials = ['otlp.auth.tokens', 'otlp.auth.users', 'otlp.auth.users.path'] as const;
  if (credentials.some((key) => config[key] !== null)) return [];
  const open = protocolsOf(config).filter((protocol) => {
    const knowsClients = usesTls(protocol, config) && tlsPath(protocol, 'client.ca', config).value !== null;
    const address = addressOf(protocol, config);
    return !knowsClients && socketPath(address) === undefined && !isLoopback(address);
  });
  return [...new Set(open.map((protocol) => addressOf(protocol, config)))];
}
