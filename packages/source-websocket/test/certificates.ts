import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/**
 * Makes certificates for a test file: `ca`, `server` (feed.example and 127.0.0.1, signed by `ca`), `expired` (feed.example, in 2020) and
 * `stranger` (signed by itself), each as `.pem` and `.key`. Returns the path of one by its name. Needs `openssl`.
 */
export function testCertificates(): (name: string) => string {
  let folder = '';
  const file = (name: string): string => join(folder, name);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'levada-tls-'));
    certificate(file, 'ca', 'test authority');
    certificate(file, 'server', 'feed.example', 'ca');
    expiredCertificate(file, folder);
    certificate(file, 'stranger', 'stranger');
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return file;
}

type FileOf = (name: string) => string;

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}

function certificate(file: FileOf, name: string, subject: string, ca?: string): void {
  const signer = ca === undefined ? [] : ['-CA', file(`${ca}.pem`), '-CAkey', file(`${ca}.key`)];
  const names = ['-subj', `/CN=${subject}`, '-addext', `subjectAltName=DNS:${subject},IP:127.0.0.1`];
  const out = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)];
  openssl('req', '-x509', ...newKey, '-days', '2', ...names, ...signer, ...out);
}

/** Only `openssl ca` makes a certificate that is no longer valid. */
function expiredCertificate(file: FileOf, folder: string): void {
  const request = ['-keyout', file('expired.key'), '-out', file('expired.csr')];
  openssl('req', ...newKey, '-subj', '/CN=feed.example', ...request);
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
