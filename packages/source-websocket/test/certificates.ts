import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates, makeExpiredCertificate } from '@levada/test-peers/tls';
import { afterAll, beforeAll } from 'vitest';

/**
 * Makes certificates for a test file: `ca`, `server` (feed.example and 127.0.0.1, signed by `ca`), `expired` (feed.example, in 2020) and
 * `stranger` (signed by itself), each as `.pem` and `.key`. Returns the path of one by its name. Needs `openssl`.
 */
export function testCertificates(): (name: string) => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'levada-tls-'));
    makeCertificates(folder);
    makeExpiredCertificate(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name) => join(folder, name);
}
