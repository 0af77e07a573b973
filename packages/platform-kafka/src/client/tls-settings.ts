import type { ConfigIssue, RawConfig, Secret } from '@levada/connect-runtime-core';
import type { ClientValues } from './client-config.ts';

/** PEM text, or a file with it. */
export type PemSource = { readonly text: Secret } | { readonly file: string };

/** The client's own key and certificates. */
export type ClientKey =
  | { readonly kind: 'texts'; readonly key: Secret; readonly chain: Secret; readonly password?: Secret }
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly storePassword?: Secret;
      readonly keyPassword?: Secret;
    };

/** TLS as it is configured; no file read yet. */
export interface TlsSettings {
  /** Undefined: the authorities that Node knows. */
  readonly trusted: PemSource | undefined;
  readonly clientKey: ClientKey | undefined;
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
  readonly maxVersion: 'TLSv1.2' | 'TLSv1.3';
  /** False: a certificate for another host is accepted. */
  readonly checkHostName: boolean;
}

/** How to make a PEM file of a store of trusted certificates. */
export const trustStoreFix =
  'only PEM can be read: export the certificates (keytool -exportcert -rfc) into a .pem file, and set ssl.truststore.type=PEM';

/** Problems of the `ssl.*` keys taken together; none when the security protocol does not use TLS. */
export function tlsProblems(raw: RawConfig): readonly ConfigIssue[] {
  if (!usesTls(raw['security.protocol'])) return [];
  const issues: ConfigIssue[] = [];
  const complain = (key: string, problem: string): void => {
    issues.push({ key, message: `Invalid configuration ${key}: ${problem}` });
  };
  const given = (key: string): boolean => (raw[key] ?? '') !== '';
  if (raw['ssl.truststore.type']?.trim().toUpperCase() === 'PKCS12') {
    complain('ssl.truststore.type', trustStoreFix);
  }
  if (given('ssl.truststore.location') && given('ssl.truststore.certificates')) {
    complain('ssl.truststore.location', 'ssl.truststore.certificates is given too; one of them is expected');
  }
  if (given('ssl.keystore.key') !== given('ssl.keystore.certificate.chain')) {
    const missing = given('ssl.keystore.key') ? 'ssl.keystore.certificate.chain' : 'ssl.keystore.key';
    complain(missing, 'ssl.keystore.key and ssl.keystore.certificate.chain are expected together');
  } else if (given('ssl.keystore.location') && given('ssl.keystore.key')) {
    complain('ssl.keystore.location', 'ssl.keystore.key is given too; one of them is expected');
  }
  return issues;
}

/** TLS of checked values; undefined when the security protocol asks for none. */
export function tlsSettings(values: ClientValues): TlsSettings | undefined {
  if (!usesTls(values['security.protocol'])) return undefined;
  const versions = values['ssl.enabled.protocols'];
  return {
    trusted: trustedOf(values),
    clientKey: clientKeyOf(values),
    minVersion: versions.includes('TLSv1.2') ? 'TLSv1.2' : 'TLSv1.3',
    maxVersion: versions.includes('TLSv1.3') ? 'TLSv1.3' : 'TLSv1.2',
    checkHostName: values['ssl.endpoint.identification.algorithm'] !== '',
  };
}

function usesTls(protocol: string | null | undefined): boolean {
  return /^(sasl_)?ssl$/i.test(protocol?.trim() ?? '');
}

function trustedOf(values: ClientValues): PemSource | undefined {
  const text = values['ssl.truststore.certificates'];
  if (text !== null) return { text };
  const file = values['ssl.truststore.location'];
  return file === null || file === '' ? undefined : { file };
}

function clientKeyOf(values: ClientValues): ClientKey | undefined {
  const key = values['ssl.keystore.key'];
  const chain = values['ssl.keystore.certificate.chain'];
  const password = values['ssl.key.password'];
  if (key !== null && chain !== null) {
    return { kind: 'texts', key, chain, ...(password === null ? {} : { password }) };
  }
  const file = values['ssl.keystore.location'];
  if (file === null || file === '') return undefined;
  const storePassword = values['ssl.keystore.password'];
  return {
    kind: 'file',
    file,
    ...(storePassword === null ? {} : { storePassword }),
    ...(password === null ? {} : { keyPassword: password }),
  };
}
