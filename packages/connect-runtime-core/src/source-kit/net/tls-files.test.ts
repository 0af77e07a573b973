import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectorError } from '../../diagnostics/connector-error.ts';
import { readTlsFiles, type TlsFile } from './tls-files.ts';

let folder: string;
const file = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(file(name), 'utf8');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'levada-tls-'));
  for (const name of ['one', 'other']) {
    const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const rest = ['-subj', `/CN=${name}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)];
    execFileSync('openssl', [...kind, ...rest], { stdio: 'pipe' });
  }
  writeFileSync(file('garbage.pem'), 'no certificate');
  writeFileSync(file('large.pem'), Buffer.alloc(1024 * 1024 + 1));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The message of the `file_unreadable` error that reading ends with. */
function refusal(...files: readonly TlsFile[]): string {
  try {
    readTlsFiles(files);
  } catch (thrown) {
    return ConnectorError.from(thrown).code === 'file_unreadable' ? (thrown as Error).message : 'other';
  }
  return 'none';
}

describe('TLS files', () => {
  it('are read from the paths that are configured', () => {
    const options = readTlsFiles([
      { option: 'ca', key: 'tls.ca', value: null },
      { option: 'cert', key: 'tls.cert', value: file('one.pem') },
      { option: 'key', key: 'tls.key', value: file('one.key') },
    ]);
    expect(options).toEqual({ cert: readFileSync(file('one.pem')), key: readFileSync(file('one.key')) });
  });

  it('may be PEM text, with something before it', () => {
    const value = `Subject: one\n${text('one.pem')}`;
    expect(readTlsFiles([{ option: 'ca', key: 'tls.ca', value }])).toEqual({ ca: Buffer.from(value) });
  });

  it('takes the later of two rows for one TLS option when it has a value', () => {
    const row = { option: 'ca', key: 'tls.ca' } as const;
    const rows = [
      { ...row, value: file('one.pem') },
      { ...row, value: text('other.pem') },
      { ...row, value: null },
    ];
    expect(readTlsFiles(rows)).toEqual({ ca: Buffer.from(text('other.pem')) });
  });

  it('names key and path of TLS files that are missing, too large or not PEM', () => {
    const row = { option: 'ca', key: 'tls.ca' } as const;
    const named = (name: string): string => refusal({ ...row, value: file(name) });
    expect(named('missing.pem')).toBe(`Cannot read TLS certificate: tls.ca "${file('missing.pem')}": ENOENT`);
    expect(named('large.pem')).toMatch(/large\.pem": larger than 1048576 bytes$/);
    expect(named('garbage.pem')).toMatch(/garbage\.pem": holds no PEM block$/);
  });

  it('never come to light when they are text', () => {
    const row = { option: 'key', key: 'tls.key.pem' } as const;
    expect(refusal({ ...row, value: 's3cret', secret: true })).toBe(
      'Cannot read TLS certificate: tls.key.pem: holds no PEM block',
    );
    const broken = refusal({ ...row, value: '-----BEGIN PRIVATE KEY-----\ns3cret\n' });
    expect(broken).toMatch(/^Cannot read TLS certificate: tls\.key\.pem: /);
    expect(broken).not.toContain('s3cret');
  });

  it('are refused as authorities that no peer could be checked against', () => {
    const value = '-----BEGIN CERTIFICATE-----\nZ2FyYmFnZQ==\n-----END CERTIFICATE-----\n';
    expect(refusal({ option: 'ca', key: 'tls.ca', value })).toMatch(
      /^Cannot read TLS certificate: tls\.ca: error:/,
    );
  });

  it('reports TLS files that do not match in one error', () => {
    const rows = [
      { option: 'cert', key: 'tls.cert', value: file('one.pem') },
      { option: 'key', key: 'tls.key', value: file('other.key') },
    ] as const;
    expect(refusal(...rows)).toMatch(/^Cannot read TLS certificate: tls\.cert, tls\.key: .*mismatch/);
  });
});
