import type { TlsFile } from '@levada/connect-runtime-core/source-kit';
import type { WebSocketConfig } from './config.ts';

const options = {
  'websocket.tls.ca.cert': 'ca',
  'websocket.tls.client.cert': 'cert',
  'websocket.tls.client.key': 'key',
} as const;

/** The TLS files that a configuration names. */
export function tlsFiles(config: WebSocketConfig): readonly TlsFile[] {
  return Object.entries(options).map(([key, option]) => ({
    option,
    key,
    value: config[key as keyof typeof options],
  }));
}
