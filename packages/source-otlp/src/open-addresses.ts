import { isLoopback } from '@levada/connect-runtime-core/source-kit';
import type { OtlpConfig } from './config.ts';
import { addressOf, protocolsOf, tlsPath, usesTls } from './protocol-settings.ts';
import { socketPath } from './receiver/bind-server.ts';

/** The addresses at which everybody who reaches the machine can send. TLS alone keeps nobody out. */
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
