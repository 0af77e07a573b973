import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The name in the servers' certificate; it is good for 127.0.0.1, too. */
export const serverName = 'feed.example';

/** Makes `ca`, `server`, `client` and `stranger` (signed by nobody known), each as `.pem` and `.key`. Needs `openssl`. */
export function makeCertificates(folder: string): void {
  const file = (name: string): string => join(folder, name);
  const make = (name: string, subject: string, authority?: string): void => {
    const key = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      file(`${name}.key`),
    ];
    const names = ['-subj', `/CN=${subject}`, '-addext', `subjectAltName=DNS:${subject},IP:127.0.0.1`];
    const signer =
      authority === undefined ? [] : ['-CA', file(`${authority}.pem`), '-CAkey', file(`${authority}.key`)];
    const out = ['-days', '2', '-out', file(`${name}.pem`)];
    execFileSync('openssl', ['req', '-x509', ...key, ...names, ...signer, ...out], { stdio: 'pipe' });
  };
  make('ca', 'test authority');
  make('server', serverName, 'ca');
  make('client', 'client', 'ca');
  make('stranger', 'stranger');
}
