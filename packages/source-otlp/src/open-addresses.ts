import { BlockList, isIPv6 } from 'node:net';
import type { OtlpConfig } from './config.ts';
import { addressOf, protocolsOf, tlsPath, usesTls } from './protocol-settings.ts';
import { socketPath } from './receiver/bind-server.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** The addresses at which everybody who reaches the machine can send. TLS alone keeps nobody out. */
export function openAddresses(config: OtlpConfig): readonly string[] {
  const credentials = ['otlp.auth.tokens', 'otlp.auth.users', 'otlp.auth.users.path'] as const;
  if (credentials.some((key) => config[key] !== null)) return [];
  const open = protocolsOf(config).filter((protocol) => {
    const knowsClients = usesTls(protocol, config) && tlsPath(protocol, 'client.ca', config).value !== null;
    return !knowsClients && !isLocal(addressOf(protocol, config));
  });
  return [...new Set(open.map((protocol) => addressOf(protocol, config)))];
}

function isLocal(address: string): boolean {
  if (socketPath(address) !== undefined) return true;
  return address === 'localhost' || loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
