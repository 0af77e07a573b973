import { type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { ConnectorError } from '../../diagnostics/connector-error.ts';
import { MAX_CERTIFICATES, pemCertificates } from '../net/pem-certificates.ts';
import { openPrivateKeys, privateKeyBlocks, readPkcs8 } from './pem-keys.ts';
import { type Pkcs12, readPkcs12 } from './pkcs12.ts';

/** Keys of one store. */
const MAX_KEYS = 16;
/** Certificates to show: OpenSSL verifies chains of at most 100. */
const MAX_CHAIN = 100;

/** A store whose bytes are read, but not opened. */
export interface StoreBytes {
  readonly bytes: Buffer;
  /** For errors: `file "x"`, `the text`. */
  readonly place: string;
  /** Of a PKCS12 store. Empty: none. */
  readonly password: string;
  /** Names the configuration key of that password in errors. */
  readonly passwordKey: string;
  /** Makes the error for a store that cannot be used. */
  readonly refuse: (problem: string, cause?: unknown) => ConnectorError;
}

/** A password of the private key alone. Empty: none. */
export interface KeyPassword {
  readonly password: string;
  readonly passwordKey: string;
}

const fixes = {
  JKS: 'is JKS, which cannot be read here; convert it (keytool -importkeystore -deststoretype PKCS12)',
  JCEKS: 'is JCEKS, which cannot be read here; convert it (keytool -importkeystore -deststoretype PKCS12)',
  DER: 'is a certificate or key in DER; convert it into PEM (openssl x509 -inform DER)',
  unknown: 'is neither PEM nor PKCS12',
};

/** The certificates that are trusted by a store, as PEM. Throws what `refuse` makes. */
export function openTrustStore(store: StoreBytes): string {
  const { place, refuse } = store;
  const certificates = checkedFormat(store) === 'PEM' ? pemOf(store) : trustedOf(store);
  if (certificates.length === 0) throw refuse(`${place} holds no certificate`);
  const ca = certificates.join('');
  checkUse(store, { ca });
  return ca;
}

/**
 * The private key of a store and the certificates to show with it, as PEM that is not encrypted: of several keys the first that has a certificate,
 * which comes before those that signed it. Throws what `refuse` makes.
 */
export function openKeyStore(store: StoreBytes, own: KeyPassword): SecureContextOptions {
  const pem = checkedFormat(store) === 'PEM';
  const { keys, certificates } = pem ? pemPair(store, own) : pkcs12Pair(store, own);
  if (keys.length === 0) throw store.refuse(`${store.place} holds no private key`);
  if (certificates.length === 0) throw store.refuse(`${store.place} holds no certificate`);
  for (const key of keys) {
    const first = certificates.find((certificate) => certificate.checkPrivateKey(key));
    if (first === undefined) continue;
    const cert = chainOf(store, first, certificates).join('');
    const options = { key: key.export({ format: 'pem', type: 'pkcs8' }), cert };
    checkUse(store, options);
    return options;
  }
  throw store.refuse(`${store.place} holds no certificate for its private key`);
}

/** Decided by the first bytes: with Java, a store of type JKS may well be PKCS12. */
function checkedFormat({ bytes, place, refuse }: StoreBytes): 'PEM' | 'PKCS12' {
  if (bytes.includes('-----BEGIN ')) return 'PEM';
  const magic = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
  if (magic === 0xfeed_feed) throw refuse(`${place} ${fixes.JKS}`);
  if (magic === 0xcece_cece) throw refuse(`${place} ${fixes.JCEKS}`);
  const [tag, length = 0] = bytes;
  if (tag !== 0x30) throw refuse(`${place} ${fixes.unknown}`);
  // PKCS12 begins with the number of its version, a certificate with a sequence.
  const first = bytes[length > 0x80 ? 2 + (length & 0x7f) : 2];
  if (first !== 0x02) throw refuse(`${place} ${fixes.DER}`);
  return 'PKCS12';
}

function pemOf({ bytes, place, refuse }: StoreBytes): readonly X509Certificate[] {
  try {
    return pemCertificates(bytes.toString('latin1'));
  } catch (cause) {
    throw refuse(`a certificate in ${place} cannot be read (${reasonOf(cause)})`, cause);
  }
}

function openPkcs12({ bytes, place, password, passwordKey, refuse }: StoreBytes): Pkcs12 {
  let store: Pkcs12 | 'wrong-password';
  try {
    store = readPkcs12(bytes, password);
  } catch (cause) {
    throw refuse(`PKCS12 ${place} cannot be read (${reasonOf(cause)})`, cause);
  }
  if (store !== 'wrong-password') return store;
  throw refuse(`PKCS12 ${place} cannot be opened with the ${passwordKey} given`);
}

function trustedOf(store: StoreBytes): readonly X509Certificate[] {
  const { certificates, trusted } = openPkcs12(store);
  if (trusted.length === 0 && certificates.length > 0) {
    const fix = 'mark them as Java does (keytool -importcert), or use PEM';
    throw store.refuse(`${store.place} holds no certificate that is marked as trusted; ${fix}`);
  }
  return readCertificates(store, trusted);
}

function readCertificates(
  { place, refuse }: StoreBytes,
  ders: readonly Buffer[],
): readonly X509Certificate[] {
  if (ders.length > MAX_CERTIFICATES)
    throw refuse(`${place} holds more than ${MAX_CERTIFICATES} certificates`);
  try {
    return ders.map((der) => new X509Certificate(der));
  } catch (cause) {
    throw refuse(`a certificate in ${place} cannot be read (${reasonOf(cause)})`, cause);
  }
}

interface Contents {
  readonly keys: readonly KeyObject[];
  readonly certificates: readonly X509Certificate[];
}

function pemPair(store: StoreBytes, { password, passwordKey }: KeyPassword): Contents {
  const { bytes, place, refuse } = store;
  const blocks = privateKeyBlocks(bytes.toString('latin1'));
  checkKeys(store, blocks.length);
  let keys: readonly KeyObject[];
  try {
    keys = openPrivateKeys(blocks, password);
  } catch (cause) {
    const problem = `the key in PEM ${place} cannot be opened with the ${passwordKey} given`;
    throw refuse(`${problem} (${reasonOf(cause)})`, cause);
  }
  return { keys, certificates: pemOf(store) };
}

function checkKeys({ place, refuse }: StoreBytes, count: number): void {
  if (count > MAX_KEYS) throw refuse(`${place} holds more than ${MAX_KEYS} private keys`);
}

function pkcs12Pair(store: StoreBytes, { password, passwordKey }: KeyPassword): Contents {
  const { place, refuse } = store;
  const opened = openPkcs12(store);
  checkKeys(store, opened.keys.length);
  const passwords = password === '' ? [store.password] : [password, store.password];
  const keys = opened.keys.map(({ open }) => {
    try {
      const key = open(passwords, readPkcs8);
      if (key !== undefined) return key;
    } catch (cause) {
      throw refuse(`the key in PKCS12 ${place} cannot be read (${reasonOf(cause)})`, cause);
    }
    const named = password === '' ? store.passwordKey : passwordKey;
    throw refuse(`the key in PKCS12 ${place} cannot be opened with the ${named} given`);
  });
  return { keys, certificates: readCertificates(store, opened.certificates) };
}

/** `first`, and those that signed a certificate before them. */
function chainOf(
  { place, refuse }: StoreBytes,
  first: X509Certificate,
  all: readonly X509Certificate[],
): readonly X509Certificate[] {
  const chain = new Set([first]);
  for (const certificate of chain) {
    for (const other of all) if (certificate.checkIssued(other)) chain.add(other);
    if (chain.size > MAX_CHAIN) throw refuse(`${place} holds a chain of more than ${MAX_CHAIN} certificates`);
  }
  return [...chain];
}

/** Refuses what OpenSSL refuses to use, such as keys that are too short. */
function checkUse({ place, refuse }: StoreBytes, options: SecureContextOptions): void {
  try {
    createSecureContext(options);
  } catch (cause) {
    throw refuse(`what ${place} holds cannot be used (${reasonOf(cause)})`, cause);
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
