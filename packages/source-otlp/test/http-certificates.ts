import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** Makes an authority with `openssl`; its files are gone when this returns. */
export function createAuthority(name: string): TestAuthority {
  const own = openssl((folder) => selfSigned(folder, name, []));
  return {
    ca: own.cert,
    issue: (subject) =>
      openssl((folder) => {
        const [cert, key] = [join(folder, 'ca.pem'), join(folder, 'ca.key')];
        writeFileSync(cert, own.cert);
        writeFileSync(key, own.key);
        selfSigned(folder, subject, ['-CA', cert, '-CAkey', key]);
      }),
  };
}

function openssl(make: (folder: string) => void): KeyPair {
  const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-tls-'));
  try {
    make(folder);
    const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
    return { cert: read('own.pem'), key: read('own.key') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function selfSigned(folder: string, subject: string, signer: readonly string[]): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout'];
  const names = ['-subj', `/CN=${subject}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const out = ['-days', '2', '-out', join(folder, 'own.pem')];
  const args = ['req', '-x509', ...key, join(folder, 'own.key'), ...names, ...signer, ...out];
  execFileSync('openssl', args, { stdio: 'pipe' });
}
