import type { SecureContextOptions } from 'node:tls';
import { readTlsFiles, type TlsFile } from '@levada/connect-runtime-core/net';
import type { OtlpConfig } from './config.ts';

/** The TLS files that a configuration names; none when TLS is off. */
export function tlsFiles(config: OtlpConfig): readonly TlsFile[] {
  if (!config['otlp.tls.enabled']) return [];
  return [
    { option: 'cert', key: 'otlp.tls.cert.path', value: config['otlp.tls.cert.path'] },
    { option: 'key', key: 'otlp.tls.key.path', value: config['otlp.tls.key.path'] },
    { option: 'ca', key: 'otlp.tls.client.ca.path', value: config['otlp.tls.client.ca.path'] },
  ];
}

/** What they hold; undefined when TLS is off. Throws like {@link readTlsFiles}. */
export function readTls(config: OtlpConfig): SecureContextOptions | undefined {
  return config['otlp.tls.enabled'] ? readTlsFiles(tlsFiles(config)) : undefined;
}
