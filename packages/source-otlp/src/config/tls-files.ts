import type { SecureContextOptions, SecureVersion } from 'node:tls';
import { readTlsFiles, type TlsFile } from '@levada/connect-runtime-core/source-kit';
import type { Protocol } from '../receive/admission/wrong-port.ts';
import type { OtlpConfig } from './config.ts';
import { protocolsOf, tlsPath, usesTls } from './protocol-settings.ts';

/** What each receiver that uses TLS uses. */
export type TlsContexts = ReadonlyMap<Protocol, SecureContextOptions>;

/** The TLS files that a configuration names for a receiver that uses TLS. */
export function tlsFiles(protocol: Protocol, config: OtlpConfig): readonly TlsFile[] {
  return [
    { option: 'cert', ...tlsPath(protocol, 'cert', config) },
    { option: 'key', ...tlsPath(protocol, 'key', config) },
    { option: 'ca', ...tlsPath(protocol, 'client.ca', config) },
  ];
}

/** Reads them for all receivers that use TLS. Throws like {@link readTlsFiles}. */
export function readTls(config: OtlpConfig): TlsContexts {
  const ciphers = config['otlp.tls.ciphers'];
  const more = {
    minVersion: config['otlp.tls.min.version'] as SecureVersion,
    ...(ciphers === null ? {} : { ciphers }),
  };
  const secure = protocolsOf(config).filter((protocol) => usesTls(protocol, config));
  return new Map(
    secure.map((protocol) => [protocol, { ...readTlsFiles(tlsFiles(protocol, config)), ...more }]),
  );
}
