import { BlockList, isIPv6 } from 'node:net';
import type { OtlpConfig } from './config.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether everybody who reaches the machine can send. TLS alone keeps nobody out. */
export function isOpenToNetwork(config: OtlpConfig): boolean {
  const address = config['otlp.bind.address'];
  const local = address === 'localhost' || loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  const guarded = config['otlp.auth.tokens'] !== null || config['otlp.tls.client.ca.path'] !== null;
  return !local && !guarded;
}
