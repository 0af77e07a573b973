import { createDecipheriv, createHmac, hash as digestOf, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { childOf, type Der, integerOf, octetsOf, oidOf } from './der.ts';
import { decryptRc2Cbc } from './rc2.ts';
import type { WorkBudget } from './work-budget.ts';

/** A password in the two forms that algorithms take. */
export interface Password {
  /** UTF-8, for PBES2 and PBMAC1. */
  readonly text: Buffer;
  /** UTF-16 with two zero octets at the end, for everything older. */
  readonly wide: Buffer;
  /** Of the store that is opened with it. */
  readonly budget: WorkBudget;
}

/** What derived octets are for (RFC 7292, B.3). */
type Purpose = 'key' | 'iv' | 'mac';
const purposes: Readonly<Record<Purpose, number>> = { key: 1, iv: 2, mac: 3 };

interface Rounds {
  readonly salt: Buffer;
  readonly rounds: number;
}

interface Cipher {
  readonly cipher: string;
  readonly keyBytes: number;
}

/** Encryption by password of PKCS12 itself (RFC 7292, C), with SHA-1. */
const oldCiphers: ReadonlyMap<string, Cipher> = new Map([
  ['1.2.840.113549.1.12.1.3', { cipher: 'des-ede3-cbc', keyBytes: 24 }],
  ['1.2.840.113549.1.12.1.4', { cipher: 'des-ede-cbc', keyBytes: 16 }],
  ['1.2.840.113549.1.12.1.5', { cipher: 'rc2-cbc', keyBytes: 16 }],
  ['1.2.840.113549.1.12.1.6', { cipher: 'rc2-cbc', keyBytes: 5 }],
]);

/** Encryption schemes of PBES2 (RFC 8018, B.2). */
const ciphers: ReadonlyMap<string, Cipher> = new Map([
  ['2.16.840.1.101.3.4.1.2', { cipher: 'aes-128-cbc', keyBytes: 16 }],
  ['2.16.840.1.101.3.4.1.22', { cipher: 'aes-192-cbc', keyBytes: 24 }],
  ['2.16.840.1.101.3.4.1.42', { cipher: 'aes-256-cbc', keyBytes: 32 }],
  ['1.2.840.113549.3.7', { cipher: 'des-ede3-cbc', keyBytes: 24 }],
]);

const hmacs: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.2.7', 'sha1'],
  ['1.2.840.113549.2.8', 'sha224'],
  ['1.2.840.113549.2.9', 'sha256'],
  ['1.2.840.113549.2.10', 'sha384'],
  ['1.2.840.113549.2.11', 'sha512'],
]);

const digests: ReadonlyMap<string, string> = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  ['2.16.840.1.101.3.4.2.4', 'sha224'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);

/**
 * Decrypts with the scheme that an AlgorithmIdentifier names. Undefined: the password is wrong, or the data is damaged. Throws an Error for a scheme
 * that is not known.
 */
export function decrypt(algorithm: Der, data: Buffer, password: Password): Buffer | undefined {
  const decipher = decipherOf(algorithm, password);
  try {
    return decipher(data);
  } catch {
    return undefined;
  }
}

/** Compares the digest of a store with its contents. `mac` is a MacData. Throws an Error for an algorithm that is not known. */
export function isMacRight(mac: Der, content: Buffer, password: Password): boolean {
  const digestInfo = childOf(mac, 0);
  const algorithm = childOf(digestInfo, 0);
  const expected = octetsOf(childOf(digestInfo, 1));
  const actual = macOf(mac, algorithm, password).update(content).digest();
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function macOf(mac: Der, algorithm: Der, password: Password) {
  const oid = oidOf(childOf(algorithm, 0));
  // PBMAC1 (RFC 9579): a key by PBKDF2, which says its own salt.
  if (oid === '1.2.840.113549.1.5.14') {
    const parameters = childOf(algorithm, 1);
    const hash = rowOf(hmacs, oidOf(childOf(childOf(parameters, 1), 0)));
    return createHmac(hash, pbkdf2(childOf(parameters, 0), password));
  }
  const hash = rowOf(digests, oid);
  const rounds = mac.children[2] === undefined ? 1 : integerOf(childOf(mac, 2));
  const salted = { salt: octetsOf(childOf(mac, 1)), rounds };
  return createHmac(hash, derive(hash, { ...salted, purpose: 'mac', size: digestSize(hash), password }));
}

function decipherOf(algorithm: Der, password: Password): (data: Buffer) => Buffer {
  const oid = oidOf(childOf(algorithm, 0));
  const parameters = childOf(algorithm, 1);
  if (oid === '1.2.840.113549.1.5.13') {
    const scheme = childOf(parameters, 1);
    const { cipher, keyBytes } = rowOf(ciphers, oidOf(childOf(scheme, 0)));
    const key = pbkdf2(childOf(parameters, 0), password, keyBytes);
    return decipherWith(cipher, key, octetsOf(childOf(scheme, 1)));
  }
  const { cipher, keyBytes } = rowOf(oldCiphers, oid);
  const salted = {
    salt: octetsOf(childOf(parameters, 0)),
    rounds: integerOf(childOf(parameters, 1)),
    password,
  };
  const key = derive('sha1', { ...salted, purpose: 'key', size: keyBytes });
  return decipherWith(cipher, key, derive('sha1', { ...salted, purpose: 'iv', size: 8 }));
}

function decipherWith(cipher: string, key: Buffer, iv: Buffer): (data: Buffer) => Buffer {
  if (cipher === 'rc2-cbc') return (data) => decryptRc2Cbc(key, iv, data);
  return (data) => {
    const decipher = createDecipheriv(cipher, key, iv);
    return Buffer.concat([decipher.update(data), decipher.final()]);
  };
}

/** The key of a PBKDF2 AlgorithmIdentifier; of the length that it says itself when none is given. */
function pbkdf2(algorithm: Der, { text, budget }: Password, size?: number): Buffer {
  const oid = oidOf(childOf(algorithm, 0));
  if (oid !== '1.2.840.113549.1.5.12') throw unknownAlgorithm(oid);
  const [salt, rounds, ...others] = childOf(algorithm, 1).children;
  const length = others.find(({ tag }) => tag === 0x02);
  const prf = others.find(({ tag }) => tag === 0x30);
  const hash = prf === undefined ? 'sha1' : rowOf(hmacs, oidOf(childOf(prf, 0)));
  if (salt === undefined || rounds === undefined) throw new Error('a key derivation lacks its parameters');
  const bytes = size ?? (length === undefined ? 0 : integerOf(length));
  if (bytes === 0 || bytes > 1024) throw new Error('a key derivation names no length that can be used');
  const count = integerOf(rounds);
  budget.spendRounds(count, Math.ceil(bytes / digestSize(hash)));
  return pbkdf2Sync(text, octetsOf(salt), count, bytes, hash);
}

interface Derivation extends Rounds {
  readonly purpose: Purpose;
  readonly size: number;
  readonly password: Password;
}

/** The key derivation of PKCS12 (RFC 7292, B.2). */
function derive(hash: string, { salt, rounds, purpose, size, password }: Derivation): Buffer {
  const block = hash === 'sha384' || hash === 'sha512' ? 128 : 64;
  const diversifier = Buffer.alloc(block, purposes[purpose]);
  const input = Buffer.concat([repeat(salt, block), repeat(password.wide, block)]);
  const blocks = Math.ceil(size / digestSize(hash));
  // The salt and the password may be long, too: each of their blocks counts as a round.
  password.budget.spendRounds(rounds, blocks);
  password.budget.spendRounds(1 + input.length / block, blocks);
  const parts: Buffer[] = [];
  for (let length = 0; length < size; ) {
    let digest = digestOf(hash, Buffer.concat([diversifier, input]), 'buffer');
    for (let round = rounds; round > 1; round -= 1) {
      digest = digestOf(hash, digest, 'buffer');
    }
    parts.push(digest);
    length += digest.length;
    for (let at = 0; at < input.length; at += block) addTo(input.subarray(at, at + block), digest);
  }
  return Buffer.concat(parts).subarray(0, size);
}

/** As often as whole blocks need, the last time in part; nothing stays nothing. */
function repeat(bytes: Buffer, block: number): Buffer {
  return bytes.length === 0 ? bytes : Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}

/** Adds the repeated digest and 1 to a number of many octets; what overflows is lost. */
function addTo(number: Buffer, digest: Buffer): void {
  let carry = 1;
  for (let at = number.length - 1; at >= 0; at -= 1) {
    carry += (number[at] ?? 0) + (digest[at % digest.length] ?? 0);
    number[at] = carry & 0xff;
    carry >>>= 8;
  }
}

function digestSize(hash: string): number {
  return digestOf(hash, '', 'buffer').length;
}

function rowOf<Row>(rows: ReadonlyMap<string, Row>, oid: string): Row {
  const row = rows.get(oid);
  if (row === undefined) throw unknownAlgorithm(oid);
  return row;
}

function unknownAlgorithm(oid: string): Error {
  return new Error(`algorithm ${oid} is not known here`);
}
