import type { TlsOptions } from 'node:tls';
import { ConnectorError } from '@levada/connect-runtime-core';
import { type ClientTls, readSsl } from '@levada/connect-runtime-core/source-kit';
import type { RestTls } from '../config/rest-tls.ts';

/** TLS of listeners, and of requests from this worker to others, as Node takes it. */
export interface LoadedTls {
  readonly server: TlsOptions;
  readonly client: ClientTls;
}

/** The files that a configuration names. */
export function tlsFilesOf({ values }: RestTls): readonly string[] {
  return [values['ssl.keystore.location'], values['ssl.truststore.location']].filter((file) => file !== null);
}

/** Reads the stores of listeners. Throws like {@link readSsl}, and `config_invalid` without a key. */
export function loadRestTls({ prefix, values }: RestTls): LoadedTls {
  const client = readSsl(values, prefix);
  if (client.key === undefined) {
    const key = `${prefix}ssl.keystore.location`;
    const message = `Invalid configuration ${key}: an https listener needs a file with its key and certificates, or ssl.keystore.key`;
    throw new ConnectorError('config_invalid', message, { issues: [{ key, message }] });
  }
  const clientAuth = values['ssl.client.auth'].toLowerCase();
  return {
    server: { ...client, requestCert: clientAuth !== 'none', rejectUnauthorized: clientAuth === 'required' },
    client,
  };
}
