import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The name in the servers' certificates; they are good for 127.0.0.1, too. */
export const serverName = 'feed.example';

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Makes `ca`, `server`, `client` and `stranger` (signed by itself), each as `.pem` and `.key`. Needs `openssl`. */
export function makeCertificates(folder: string): void {
  certificate(folder, 'ca', { subject: 'test authority' });
  certificate(folder, 'server', { subject: serverName, signer: 'ca' });
  certificate(folder, 'client', { subject: 'client', signer: 'ca' });
  certificate(folder, 'stranger', { subject: 'stranger' });
}

/** Makes `expired`, for {@link serverName}, signed by `ca`, valid for one day in 2020. Only `openssl ca` can do that. */
export function makeExpiredCertificate(folder: string): void {
  const file = (name: string): string => join(folder, name);
  const request = ['-keyout', file('expired.key'), '-out', file('expired.csr')];
  openssl('req', ...newKey, '-subj', `/CN=${serverName}`, ...request);
  writeFileSync(file('index.txt'), '');
  const settings = [
    '[ca]',
    'default_ca=c',
    '[c]',
    `database=${file('index.txt')}`,
    'rand_serial=yes',
    'default_md=sha256',
    'policy=p',
    `new_certs_dir=${folder}`,
    '[p]',
    'commonName=supplied',
  ];
  writeFileSync(file('ca.cnf'), settings.join('\n'));
  const signer = ['-cert', file('ca.pem'), '-keyfile', file('ca.key'), '-config', file('ca.cnf')];
  const dates = ['-startdate', '20200101000000Z', '-enddate', '20200102000000Z'];
  openssl('ca', '-batch', ...signer, '-in', file('expired.csr'), '-out', file('expired.pem'), ...dates);
}

/** A certificate and its key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** An authority, and pairs that it signed for `localhost` and 127.0.0.1. */
export interface TestAuthority {
  readonly ca: string;
  issue(name: string): KeyPair;
}

/** Makes an authority; its files are gone when this returns. */
export function createAuthority(name: string): TestAuthority {
  const own = inFolder((folder) => {
    certificate(folder, 'own', { subject: name, host: 'localhost' });
    return keyPair(folder);
  });
  return {
    ca: own.cert,
    issue: (subject) =>
      inFolder((folder) => {
        writeFileSync(join(folder, 'ca.pem'), own.cert);
        writeFileSync(join(folder, 'ca.key'), own.key);
        certificate(folder, 'own', { subject, host: 'localhost', signer: 'ca' });
        return keyPair(folder);
      }),
  };
}

function inFolder(make: (folder: string) => KeyPair): KeyPair {
  const folder = mkdtempSync(join(tmpdir(), 'levada-tls-'));
  try {
    return make(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function keyPair(folder: string): KeyPair {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  return { cert: read('own.pem'), key: read('own.key') };
}

interface Subject {
  readonly subject: string;
  /** DNS name. Default: the subject. */
  readonly host?: string;
  /** Name of the certificate in the folder that signs it. Default: itself. */
  readonly signer?: string;
}

function certificate(folder: string, name: string, { subject, host = subject, signer }: Subject): void {
  const file = (part: string): string => join(folder, part);
  const signed = signer === undefined ? [] : ['-CA', file(`${signer}.pem`), '-CAkey', file(`${signer}.key`)];
  const names = ['-subj', `/CN=${subject}`, '-addext', `subjectAltName=DNS:${host},IP:127.0.0.1`];
  const out = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)];
  openssl('req', '-x509', ...newKey, '-days', '2', ...names, ...signed, ...out);
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}
