import { type ParsedConfig, Secret } from '@levada/connect-runtime-core';
import type { registryKeys } from './registry-keys.ts';
import type { tlsKeys } from './tls-keys.ts';

/** The parsed keys that all three converters have. */
export type RegistryValues = ParsedConfig<readonly [...typeof registryKeys, ...typeof tlsKeys]>;

/** A registry as it is configured; no file read yet. */
export interface RegistrySettings {
  /** Without user and password, and without a slash at the end. */
  readonly urls: readonly string[];
  /** Value of the `Authorization` header for each URL. */
  readonly authorization: readonly (Secret | undefined)[];
  readonly headers: ReadonlyMap<string, Secret>;
  /** Longest that a request may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryWaitMs: number;
  readonly retryMaxWaitMs: number;
  readonly proxy: { readonly host: string; readonly port: number } | undefined;
  readonly tls: TlsSettings;
}

/** PEM text, or a file with it. */
type Source = { readonly text: Secret } | { readonly file: string };

export interface TlsSettings {
  /** Undefined: the authorities that Node knows. */
  readonly trusted: Source | undefined;
  readonly client:
    | { readonly key: Secret; readonly chain: Secret; readonly password: Secret | null }
    | { readonly file: string; readonly storePassword: Secret | null; readonly keyPassword: Secret | null }
    | undefined;
  /** False: a certificate for another host is accepted. */
  readonly checkHostName: boolean;
}

/** Where and how to reach the registry. */
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

function tlsSettings(values: RegistryValues): TlsSettings {
  const trustedText = values['schema.registry.ssl.truststore.certificates'];
  const trustedFile = values['schema.registry.ssl.truststore.location'] ?? '';
  const key = values['schema.registry.ssl.keystore.key'];
  const chain = values['schema.registry.ssl.keystore.certificate.chain'];
  const keyPassword = values['schema.registry.ssl.key.password'];
  const file = values['schema.registry.ssl.keystore.location'] ?? '';
  const storePassword = values['schema.registry.ssl.keystore.password'];
  const fromFile = file === '' ? undefined : { file, storePassword, keyPassword };
  return {
    trusted:
      trustedText !== null ? { text: trustedText } : trustedFile === '' ? undefined : { file: trustedFile },
    client: key !== null && chain !== null ? { key, chain, password: keyPassword } : fromFile,
    checkHostName: values['schema.registry.ssl.endpoint.identification.algorithm'] !== '',
  };
}
