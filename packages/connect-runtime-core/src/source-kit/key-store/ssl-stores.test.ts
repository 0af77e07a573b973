import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../config/secret.ts';
import { ConnectorError } from '../../diagnostics/connector-error.ts';
import { pemCertificates } from '../net/pem-certificates.ts';
import { type ClientTls, readSsl, type SslValues } from './ssl-stores.ts';

const password = 'pässwörd €';
let folder: string;
const file = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(file(name), 'utf8');
const openssl = (...args: string[]): unknown => execFileSync('openssl', args, { stdio: 'pipe' });
const pkcs12 = (name: string, pass: string, ...args: string[]): unknown =>
  openssl('pkcs12', '-export', '-out', file(name), '-passout', `pass:${pass}`, ...args);
const keytool = (name: string, ...args: string[]): unknown =>
  execFileSync(
    'keytool',
    [...args, '-J-XX:TieredStopAtLevel=1', '-keystore', file(name), '-storepass', 'changeit'],
    { stdio: 'pipe' },
  );

function certificate(name: string, ...more: string[]): void {
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    file(`${name}.key`),
  ];
  openssl('req', '-x509', ...key, '-subj', `/CN=${name}`, '-out', file(`${name}.pem`), ...more);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'levada-stores-'));
  certificate('ca');
  certificate('own', '-CA', file('ca.pem'), '-CAkey', file('ca.key'));
  certificate('other');
  const own = ['-inkey', file('own.key'), '-in', file('own.pem'), '-certfile', file('ca.pem')];
  const old = ['-certpbe', 'PBE-SHA1-RC2-128', '-keypbe', 'PBE-SHA1-2DES', '-macalg', 'sha512'];
  pkcs12('new.p12', password, ...own);
  pkcs12('old.p12', password, ...own, '-legacy');
  pkcs12('older.p12', password, ...own, ...old, '-legacy');
  pkcs12(
    'small.p12',
    password,
    ...own,
    '-certpbe',
    'AES-128-CBC',
    '-keypbe',
    'AES-192-CBC',
    '-macalg',
    'sha384',
  );
  pkcs12('open.p12', password, ...own, '-certpbe', 'NONE', '-keypbe', 'NONE');
  pkcs12('no-mac.p12', password, ...own, '-nomac');
  pkcs12('blank.p12', '', ...own);
  pkcs12('rc4.p12', password, ...own, '-certpbe', 'PBE-SHA1-RC4-128', '-legacy');
  pkcs12('only-key.p12', password, '-nocerts', '-inkey', file('own.key'));
  const trust = ['-nokeys', '-in', file('ca.pem'), '-certfile', file('other.pem')];
  pkcs12('trust.p12', password, ...trust);
  pkcs12('key-trust.p12', 'changeit', ...own);
  pkcs12('named-trust.p12', 'changeit', ...own, '-name', 'Own', '-caname', 'own');
  pkcs12('no-key.p12', 'changeit', '-nokeys', '-in', file('ca.pem'));
  pkcs12('weak.p12', 'store', ...own, '-iter', '1', '-nomac');
  writeFileSync(file('own-store.pem'), text('ca.pem') + text('own.pem') + text('own.key'));
  writeFileSync(file('mixed.pem'), text('other.pem') + text('own.key'));
  openssl(
    'pkcs8',
    '-topk8',
    '-in',
    file('own.key'),
    '-out',
    file('locked.key'),
    '-passout',
    `pass:${password}`,
  );
  writeFileSync(file('locked.pem'), text('locked.key') + text('own.pem') + text('ca.pem'));
  openssl('x509', '-in', file('ca.pem'), '-outform', 'DER', '-out', file('ca.der'));
  writeFileSync(file('broken.pem'), text('ca.pem') + text('other.pem').replace(/\n.{20}/, '\n'));
  writeFileSync(file('garbage'), 'garbage');
  writeFileSync(file('cut.p12'), readFileSync(file('new.p12')).subarray(0, 600));
});
afterAll(() => rmSync(folder, { recursive: true }));

const none: SslValues = {
  'ssl.truststore.location': null,
  'ssl.truststore.password': null,
  'ssl.truststore.certificates': null,
  'ssl.keystore.location': null,
  'ssl.keystore.password': null,
  'ssl.keystore.key': null,
  'ssl.keystore.certificate.chain': null,
  'ssl.key.password': null,
  'ssl.enabled.protocols': ['TLSv1.2', 'TLSv1.3'],
  'ssl.endpoint.identification.algorithm': 'https',
};

const keyStore = (name: string, pass = '', keyPass = ''): ClientTls =>
  readSsl({
    ...none,
    'ssl.keystore.location': file(name),
    'ssl.keystore.password': new Secret(pass),
    'ssl.key.password': new Secret(keyPass),
  });
const trustStore = (name: string, pass = ''): ClientTls =>
  readSsl({
    ...none,
    'ssl.truststore.location': file(name),
    'ssl.truststore.password': new Secret(pass),
  });

/** Names of the certificates in a text. */
const names = (pem: unknown): readonly string[] =>
  pemCertificates(String(pem)).map(({ subject }) => subject.replace(/^.*CN=/s, ''));

/** Prints the names that the trust manager of Java accepts, one store a line. */
const javaProgram = `
class TrustedByJava {
  public static void main(String[] files) throws Exception {
    for (String file : files) {
      var store = java.security.KeyStore.getInstance("PKCS12");
      try (var in = new java.io.FileInputStream(file)) { store.load(in, "changeit".toCharArray()); }
      var factory = javax.net.ssl.TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      for (var one : ((javax.net.ssl.X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers())
        System.out.print(one.getSubjectX500Principal().getName().substring(3) + " ");
      System.out.println();
    }
  }
}`;

/** The error that reading ends with. */
function refusal(read: () => unknown): ConnectorError {
  try {
    read();
  } catch (thrown) {
    return ConnectorError.from(thrown);
  }
  throw new Error('nothing was refused');
}

describe('a key store', () => {
  it.each([
    ['PBES2 with AES-256', 'new.p12', password],
    ['RC2-40 and Triple DES', 'old.p12', password],
    ['RC2-128, two-key Triple DES and a SHA-512 digest', 'older.p12', password],
    ['AES-128, AES-192 and a SHA-384 digest', 'small.p12', password],
    ['no encryption', 'open.p12', password],
    ['no digest', 'no-mac.p12', password],
    ['an empty password', 'blank.p12', ''],
    ['PEM, with the certificates in another order', 'own-store.pem', ''],
  ])('gives its key and the chain of certificates with %s', (_, name, pass) => {
    const { key, cert } = keyStore(name, pass);
    expect(names(cert)).toEqual(['own', 'ca']);
    expect(new X509Certificate(String(cert)).checkPrivateKey(createPrivateKey(key as string))).toBe(true);
  });

  it('opens an encrypted PEM key with ssl.key.password, from a file or from texts', () => {
    expect(names(keyStore('locked.pem', '', password).cert)).toEqual(['own', 'ca']);
    const texts = {
      'ssl.keystore.key': new Secret(text('locked.key')),
      'ssl.keystore.certificate.chain': new Secret(text('own.pem') + text('ca.pem')),
      'ssl.key.password': new Secret(password),
    };
    expect(names(readSsl({ ...none, ...texts }).cert)).toEqual(['own', 'ca']);
  });

  it.each([
    [
      'a wrong password',
      'new.p12',
      'wrong',
      /PKCS12 file ".*new\.p12" cannot be opened with the ssl\.keystore\.password given$/,
    ],
    [
      'a wrong password of an old store',
      'old.p12',
      'wrong',
      /cannot be opened with the ssl\.keystore\.password given$/,
    ],
    [
      'a wrong password of a store without digest',
      'no-mac.p12',
      'wrong',
      /cannot be opened with the ssl\.keystore\.password given$/,
    ],
    ['no password', 'new.p12', '', /cannot be opened with the ssl\.keystore\.password given$/],
    [
      'a wrong password of a PEM key',
      'locked.pem',
      '',
      /the key in PEM file ".*" cannot be opened with the ssl\.key\.password given/,
    ],
    ['no key', 'trust.p12', password, /trust\.p12" holds no private key$/],
    ['no key in PEM', 'ca.pem', '', /ca\.pem" holds no private key$/],
    ['no certificate', 'only-key.p12', password, /only-key\.p12" holds no certificate$/],
    ['no certificate in PEM', 'own.key', '', /own\.key" holds no certificate$/],
    ['a certificate of another key', 'mixed.pem', '', /holds no certificate for its private key$/],
    [
      'an algorithm that is not read',
      'rc4.p12',
      password,
      /cannot be read \(algorithm 1\.2\.840\.113549\.1\.12\.1\.1 is not known here\)$/,
    ],
    ['half of its bytes', 'cut.p12', password, /cut\.p12" cannot be read \(an ASN\.1 value is cut off\)$/],
    ['a certificate in DER', 'ca.der', '', /is a certificate or key in DER; convert it into PEM/],
    ['something else', 'garbage', '', /garbage" is neither PEM nor PKCS12$/],
  ])('is refused with %s, naming the key and no password', (_, name, pass, message) => {
    const error = refusal(() => keyStore(name, pass));
    expect(error.code).toBe('config_invalid');
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^Invalid configuration ssl\.keystore\.location: /);
    expect(error.issues).toEqual([{ key: 'ssl.keystore.location', message: error.message }]);
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(password);
  });

  it('names its key with the prefix, and a file that cannot be read', () => {
    const error = refusal(() => readSsl({ ...none, 'ssl.keystore.location': '/no/such' }, 'admin.'));
    expect(error).toMatchObject({
      code: 'file_unreadable',
      issues: [{ key: 'admin.ssl.keystore.location' }],
    });
    expect(error.message).toBe('Cannot read the file of admin.ssl.keystore.location "/no/such": ENOENT');
  });
});

describe('a key store of a client of REST', () => {
  const texts = (key: string, chain: string): ClientTls =>
    readSsl({
      ...none,
      'ssl.keystore.key': new Secret(key),
      'ssl.keystore.certificate.chain': new Secret(chain),
      'ssl.key.password': new Secret(password),
    });
  const MIB = 1024 * 1024;

  it.each([
    ['keys', '-----BEGIN PRIVATE KEY-----\n'],
    ['certificates', '-----BEGIN CERTIFICATE-----\n'],
    ['ends', '-----END PRIVATE KEY-----\n'],
    ['marks', '-----BEGIN '],
  ])('is searched once when it is 1 MiB of %s without an end', (_, line) => {
    const key = line.repeat((MIB - 2000) / line.length);
    const { message } = refusal(() => texts(key, text('own.pem')));
    expect(message).toMatch(/holds no private key$|cannot be read/);
  });

  it('is refused when its text is larger than a file may be', () => {
    const { message } = refusal(() => texts('x'.repeat(MIB), text('own.pem')));
    expect(message).toBe('Invalid configuration ssl.keystore.key: the text is larger than 1048576 bytes');
  });

  it('is refused with more than 16 keys or 1,000 certificates', () => {
    expect(refusal(() => texts(text('own.key').repeat(17), text('own.pem'))).message).toMatch(
      /holds more than 16 private keys$/,
    );
    expect(refusal(() => texts(text('own.key'), text('own.pem').repeat(1001))).message).toMatch(
      /there are more than 1000 certificates/,
    );
  });

  it('is refused when a chain of one name is longer than 100 certificates', () => {
    const request = ['-key', file('ca.key'), '-subj', '/CN=ca', '-days', '9'];
    const many = Array.from({ length: 101 }, (_, index) => {
      openssl('req', '-x509', ...request, '-set_serial', String(index + 1), '-out', file('same.pem'));
      return text('same.pem');
    });
    expect(refusal(() => texts(text('own.key'), text('own.pem') + many.join(''))).message).toMatch(
      /holds a chain of more than 100 certificates$/,
    );
  }, 30_000);

  it('is refused when the derivation of its PEM key takes more rounds than are run', () => {
    const locked = Buffer.from(text('locked.key').replaceAll(/-----.*-----|\n/g, ''), 'base64');
    const at = locked.indexOf(Buffer.from('02020800', 'hex'));
    // 2048 rounds become 32,767 with a number of the same size, which is within the limit, and the longer number is not.
    locked.writeUInt16BE(0x7fff, at + 2);
    const pem = (der: Buffer): string =>
      `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${der.toString('base64')}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
    expect(refusal(() => texts(pem(locked), text('own.pem'))).message).toContain('the password is wrong');
    // The last three octets of the salt, whose length depends on the version of OpenSSL, become part of the number.
    const salted = Buffer.from(locked);
    const size =
      [8, 16].find((octets) => salted[at - octets - 2] === 4 && salted[at - octets - 1] === octets) ?? 0;
    salted[at - size - 1] = size - 3;
    Buffer.from('02057fffffffff', 'hex').copy(salted, at - 3);
    expect(refusal(() => texts(pem(salted), text('own.pem'))).message).toMatch(
      /a key derivation takes 549755813887 rounds; at most 2000000 are run here/,
    );
  });
});

describe('a wrong password', () => {
  it('never opens a store without a digest, and never hides the right password of a key', () => {
    const wrong = Array.from({ length: 1000 }, (_, index) => `wrong ${index}`);
    const messages = new Set(wrong.map((pass) => refusal(() => keyStore('weak.p12', pass)).message));
    expect([...messages]).toEqual([
      expect.stringMatching(/cannot be opened with the ssl\.keystore\.password given$/),
    ]);
    for (const pass of wrong) expect(names(keyStore('weak.p12', 'store', pass).cert)).toEqual(['own', 'ca']);
  }, 60_000);
});

describe('a trust store', () => {
  it.each([['PEM', 'mixed.pem', '', ['other']]])(
    'gives all its certificates from %s',
    (_, name, pass, expected) => {
      expect(names(trustStore(name, pass).ca)).toEqual(expected);
    },
  );

  it.each([
    [
      'certificates that are not marked as trusted',
      'trust.p12',
      password,
      /trust\.p12" holds no certificate that is marked as trusted; mark them as Java does \(keytool -importcert\), or use PEM$/,
    ],
    ['a wrong password', 'trust.p12', 'wrong', /cannot be opened with the ssl\.truststore\.password given$/],
    ['no certificate', 'only-key.p12', password, /holds no certificate$/],
    [
      'a certificate that cannot be read after one that can',
      'broken.pem',
      '',
      /a certificate in file ".*" cannot be read/,
    ],
  ])('is refused with %s', (_, name, pass, message) => {
    const error = refusal(() => trustStore(name, pass));
    expect(error.message).toMatch(message);
    expect(error.issues).toMatchObject([{ key: 'ssl.truststore.location' }]);
  });
});

describe('stores that keytool made', () => {
  beforeAll(() => {
    const pair = (alias: string): readonly string[] => [
      '-genkeypair',
      '-alias',
      alias,
      '-keyalg',
      'EC',
      '-dname',
      `CN=${alias}`,
    ];
    const trusted = ['-importcert', '-noprompt', '-alias', 'ca', '-file', file('ca.pem')];
    keytool('java.p12', ...pair('first'));
    keytool('java.p12', ...pair('second'));
    keytool('java.p12', ...trusted);
    keytool('java-old.p12', ...trusted, '-J-Dkeystore.pkcs12.legacy');
    const chain = ['-importkeystore', '-srckeystore', file('key-trust.p12'), '-srcstorepass', 'changeit'];
    keytool('java-chain.p12', ...chain, '-deststoretype', 'PKCS12');
    keytool('java.jks', ...trusted, '-storetype', 'JKS');
    writeFileSync(file('java.jceks'), Buffer.from('cececece00000002', 'hex'));
  });

  it('gives the first of several keys with its certificate alone', () => {
    expect(names(keyStore('java.p12', 'changeit').cert)).toEqual(['first']);
  });

  it('gives the certificates that Java trusts, and those of its keys', () => {
    expect(names(trustStore('java.p12', 'changeit').ca).toSorted()).toEqual(['ca', 'first', 'second']);
    expect(names(trustStore('java-old.p12', 'changeit').ca)).toEqual(['ca']);
  });

  it('trusts the same certificates as Java', () => {
    writeFileSync(file('TrustedByJava.java'), javaProgram);
    const stores = [
      'java.p12',
      'java-old.p12',
      'java-chain.p12',
      'key-trust.p12',
      'named-trust.p12',
      'no-key.p12',
    ];
    const output = execFileSync(
      'java',
      ['-XX:TieredStopAtLevel=1', file('TrustedByJava.java'), ...stores.map(file)],
      { encoding: 'utf8', stdio: 'pipe' },
    );
    const byJava = output.split('\n').map((line) => line.split(' ').filter(Boolean).toSorted());
    expect(byJava.slice(0, -1)).toEqual([['ca', 'first', 'second'], ['ca'], ['own'], ['own'], ['own'], []]);
    const byOurs = stores.slice(0, -1).map((store) => names(trustStore(store, 'changeit').ca).toSorted());
    expect(byOurs).toEqual(byJava.slice(0, stores.length - 1));
    expect(refusal(() => trustStore('no-key.p12', 'changeit')).message).toContain('marked as trusted');
  }, 30_000);

  it.each(['JKS', 'JCEKS'])(
    'is refused with its name as %s, and with the command that converts it',
    (type) => {
      const { message } = refusal(() => trustStore(`java.${type.toLowerCase()}`, 'changeit'));
      expect(message).toContain(`is ${type}, which cannot be read here; convert it (keytool -importkeystore`);
    },
  );
});
