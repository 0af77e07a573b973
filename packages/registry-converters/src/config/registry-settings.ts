import { type ParsedConfig, Secret } from '@levada/connect-runtime-core';
import type { SslValues } from '@levada/connect-runtime-core/source-kit';
import type { registryKeys } from './registry-keys.ts';
import type { tlsKeys } from './tls-keys.ts';

/** Parsed values of the registry keys. */
export type RegistryValues = ParsedConfig<readonly [...typeof registryKeys, ...typeof tlsKeys]>;

/** The configuration of a registry. Files have not been read yet. */
export interface RegistrySettings {
  /** Without user, password and trailing slash. */
  readonly urls: readonly string[];
  /** Value of the `Authorization` header for each URL. */
  readonly authorization: readonly (Secret | undefined)[];
  readonly headers: ReadonlyMap<string, Secret>;
  /** Timeout of a request, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryWaitMs: number;
  readonly retryMaxWaitMs: number;
  readonly proxy: { readonly host: string; readonly port: number } | undefined;
  readonly tls: SslValues;
}

export function registrySettings(values: RegistryValues): RegistrySettings {
  const parsed = values['schema.registry.url'].map((text) => new URL(text));
  const proxyHost = values['proxy.host'].trim();
  return {
    urls: parsed.map((url) => `${url.origin}${url.pathname.replace(/\/+$/, '')}`),
    authorization: parsed.map((url) => authorization(values, url)),
    headers: values['request.header.'],
    timeoutMs: Math.max(values['http.connect.timeout.ms'], values['http.read.timeout.ms']),
    maxRetries: values['max.retries'],
    retryWaitMs: values['retries.wait.ms'],
    retryMaxWaitMs: values['retries.max.wait.ms'],
    proxy: proxyHost === '' ? undefined : { host: proxyHost, port: values['proxy.port'] ?? 80 },
    tls: tlsSettings(values),
  };
}

function authorization(values: RegistryValues, url: URL): Secret | undefined {
  const token = values['bearer.auth.token'].reveal();
  if (token !== '') return new Secret(`Bearer ${token}`);
  const inUrl =
    url.username === '' ? '' : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const fromUrl = values['basic.auth.credentials.source'] === 'URL';
  const user = fromUrl ? inUrl : values['basic.auth.user.info'].reveal();
  return user === '' ? undefined : new Secret(`Basic ${Buffer.from(user).toString('base64')}`);
}

/** TLS settings under the names of the Kafka clients. */
function tlsSettings(values: RegistryValues): SslValues {
  return {
    'ssl.truststore.location': values['schema.registry.ssl.truststore.location'],
    'ssl.truststore.password': values['schema.registry.ssl.truststore.password'],
    'ssl.truststore.certificates': values['schema.registry.ssl.truststore.certificates'],
    'ssl.keystore.location': values['schema.registry.ssl.keystore.location'],
    'ssl.keystore.password': values['schema.registry.ssl.keystore.password'],
    'ssl.keystore.key': values['schema.registry.ssl.keystore.key'],
    'ssl.keystore.certificate.chain': values['schema.registry.ssl.keystore.certificate.chain'],
    'ssl.key.password': values['schema.registry.ssl.key.password'],
    'ssl.endpoint.identification.algorithm': values['schema.registry.ssl.endpoint.identification.algorithm'],
    'ssl.enabled.protocols': ['TLSv1.2', 'TLSv1.3'],
  };
}
