import { execFileSync } from 'node:child_process';
import { createHmac, pbkdf2Sync, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childOf, type Der, octetsOf, readDer } from './der.ts';
import { type Pkcs12, readPkcs12 } from './pkcs12.ts';

let folder: string;
/** A store without encryption, with a digest. */
let store: Buffer;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'levada-pkcs12-'));
  const file = (name: string): string => join(folder, name);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file('key')];
  execFileSync('openssl', ['req', '-x509', ...key, '-subj', '/CN=own', '-out', file('pem')], {
    stdio: 'pipe',
  });
  const input = ['-inkey', file('key'), '-in', file('pem'), '-certpbe', 'NONE', '-keypbe', 'NONE'];
  const output = ['-out', file('p12'), '-passout', 'pass:changeit'];
  execFileSync('openssl', ['pkcs12', '-export', ...input, ...output], { stdio: 'pipe' });
  store = readFileSync(file('p12'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A value of definite length. */
function encode(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.from([tag, 0x83, 0, 0, 0]);
  head.writeUIntBE(content.length, 2, 3);
  return Buffer.concat([head, content]);
}

/** The same value with indefinite lengths, and octets in two pieces. */
function asBer({ tag, content, children, bytes }: Der): Buffer {
  const end = Buffer.alloc(2);
  const head = (of: number): Buffer => Buffer.from([of, 0x80]);
  if (children.length > 0) return Buffer.concat([head(tag), ...children.map(asBer), end]);
  if (tag !== 0x04) return bytes;
  const half = content.length >> 1;
  const pieces = [content.subarray(0, half), content.subarray(half)].map((piece) => encode(0x04, piece));
  return Buffer.concat([head(0x24), ...pieces, end]);
}

const oid = (hex: string): Buffer => encode(0x06, Buffer.from(hex, 'hex'));

/** The store with a digest as RFC 9579 has it. */
function withPbmac1(password: string): Buffer {
  const [version, info] = readDer(store).children.map(({ bytes }) => bytes) as [Buffer, Buffer];
  const content = octetsOf(childOf(childOf(childOf(readDer(store), 1), 1), 0));
  const salt = Buffer.from('sodium chloride');
  const digest = createHmac('sha512', pbkdf2Sync(password, salt, 2048, 32, 'sha256'))
    .update(content)
    .digest();
  const number = (value: number): Buffer => encode(0x02, Buffer.from([value >> 8, value & 0xff]));
  const hmacSha256 = encode(0x30, oid('2a864886f70d0209'));
  const parameters = encode(0x30, encode(0x04, salt), number(2048), number(32), hmacSha256);
  const derivation = encode(0x30, oid('2a864886f70d01050c'), parameters);
  const hmacSha512 = encode(0x30, oid('2a864886f70d020b'));
  const algorithm = encode(0x30, oid('2a864886f70d01050e'), encode(0x30, derivation, hmacSha512));
  const mac = encode(
    0x30,
    encode(0x30, algorithm, encode(0x04, digest)),
    encode(0x04, Buffer.alloc(8)),
    number(1),
  );
  return encode(0x30, version, info, mac);
}

/** A store with these bags, without encryption and digest. */
function storeOf(...bags: readonly Buffer[]): Buffer {
  const data = (content: Buffer): Buffer =>
    encode(0x30, oid('2a864886f70d010701'), encode(0xa0, encode(0x04, content)));
  const safes = encode(0x30, data(encode(0x30, ...bags)));
  return encode(0x30, encode(0x02, Buffer.from([3])), data(safes));
}

function subjects(bytes: Buffer, password: string): readonly string[] | string {
  const read = readPkcs12(bytes, password);
  return read === 'wrong-password' ? read : read.certificates.map((der) => new X509Certificate(der).subject);
}

function outcomeOf(bytes: Buffer): string {
  try {
    return readPkcs12(bytes, 'changeit') === 'wrong-password' ? 'wrong-password' : 'read';
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

describe('a PKCS12 store', () => {
  it('may be in BER, with lengths that are not said in advance', () => {
    expect(subjects(asBer(readDer(store)), 'changeit')).toEqual(['CN=own']);
    expect(subjects(asBer(readDer(store)), 'changed')).toBe('wrong-password');
  });

  it('may have a digest by PBMAC1', () => {
    expect(subjects(withPbmac1('changeit'), 'changeit')).toEqual(['CN=own']);
    expect(subjects(withPbmac1('changeit'), 'changed')).toBe('wrong-password');
  });

  it('is refused when its key derivation would take too long', () => {
    const rounds = Buffer.from('02020800', 'hex');
    const at = store.lastIndexOf(rounds);
    const longer = Buffer.concat([store.subarray(0, at), Buffer.from('02047fffffff', 'hex')]);
    const [version, info] = readDer(store).children.map(({ bytes }) => bytes) as [Buffer, Buffer];
    const macHead = longer.subarray(version.length + info.length + 4);
    const macParts = macHead.subarray(macHead.indexOf(0x30, 1));
    expect(() => readPkcs12(encode(0x30, version, info, encode(0x30, macParts)), 'changeit')).toThrow(
      'takes 2147483647 rounds',
    );
  });

  it('is refused when its key derivations together would take too long', () => {
    // Each key is 600,000 rounds of one digest; with wrong passwords, two keys are 1.2 million for each.
    const rounds = Buffer.from([0x09, 0x27, 0xc0]);
    const derivation = encode(
      0x30,
      oid('2a864886f70d01050c'),
      encode(0x30, encode(0x04, Buffer.alloc(8)), encode(0x02, rounds)),
    );
    const cipher = encode(0x30, oid('60864801650304012a'), encode(0x04, Buffer.alloc(16)));
    const algorithm = encode(0x30, oid('2a864886f70d01050d'), encode(0x30, derivation, cipher));
    const value = encode(0x30, algorithm, encode(0x04, Buffer.alloc(32)));
    const bag = encode(0x30, oid('2a864886f70d010c0a0102'), encode(0xa0, value));
    const read = readPkcs12(storeOf(bag, bag), 'unused');
    expect(read).toMatchObject({ keys: [{}, {}] });
    const opened = (read as Pkcs12).keys.map(
      ({ open }) =>
        () =>
          open(['one', 'another'], (key) => key),
    );
    // AES-256 takes two digests of SHA-1.
    expect(opened[0]).toThrow('its key derivations take more than 2000000 hash calls together');
    expect(opened[1]).toThrow('its key derivations take more than 2000000 hash calls together');
  });

  it('is refused when it has too many values', () => {
    const bag = encode(0x30, oid('2a864886f70d010c0a0104'), encode(0xa0));
    const bags = (count: number): Buffer => storeOf(...Array<Buffer>(count).fill(bag));
    expect(readPkcs12(bags(8000), '')).toMatchObject({ keys: [], certificates: [] });
    expect(() => readPkcs12(bags(9000), '')).toThrow('it has more than 25000 ASN.1 values');
  });

  it('ends with a result or an Error for each byte that is changed, and each place where it is cut off', () => {
    const outcomes = new Set<string>();
    for (let at = 0; at < store.length; at += 7) {
      const changed = Buffer.from(store);
      changed[at] = (changed[at] ?? 0) ^ 0x81;
      outcomes.add(outcomeOf(changed)).add(outcomeOf(store.subarray(0, at)));
    }
    const known = /^(read|wrong-password|.*(ASN\.1|not known|key derivation|protected by).*)$/;
    expect([...outcomes].filter((outcome) => !known.test(outcome))).toEqual([]);
  });

  it('is refused when its values are nested too deep', () => {
    let nested: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 1000; depth += 1) nested = encode(0x30, nested);
    expect(() => readPkcs12(nested, '')).toThrow('nested more than 32 deep');
  });
});
