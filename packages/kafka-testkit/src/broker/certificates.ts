import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Files in PEM form, made for one broker. */
export interface Certificates {
  /** The authority that signed both certificates. */
  readonly authority: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** Key and certificate of the broker in one file, as Kafka's PEM key stores want it. */
  readonly brokerKeyStore: string;
}

/** Makes an authority, a certificate for 127.0.0.1 and localhost, and one for a client. Needs `openssl`. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const authority = join(folder, 'authority.pem');
  const authorityKey = join(folder, 'authority.key');
  const root = ['req', '-x509', '-days', '2', '-subj', '/CN=levada test authority', ...newKey(authorityKey)];
  await run('openssl', [...root, '-out', authority]);
  const signer = ['-CA', authority, '-CAkey', authorityKey];
  const broker = await sign(folder, { name: 'broker', signer });
  const client = await sign(folder, { name: 'client', signer });
  const brokerKeyStore = join(folder, 'broker-key-store.pem');
  const parts = await Promise.all([broker.key, broker.certificate].map((file) => readFile(file, 'utf8')));
  await writeFile(brokerKeyStore, parts.join(''), { mode: 0o600 });
  return { authority, clientCertificate: client.certificate, clientKey: client.key, brokerKeyStore };
}

interface Signing {
  readonly name: string;
  readonly signer: readonly string[];
}

async function sign(
  folder: string,
  { name, signer }: Signing,
): Promise<{ key: string; certificate: string }> {
  const key = join(folder, `${name}.key`);
  const certificate = join(folder, `${name}.pem`);
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const request = ['req', '-x509', '-days', '2', '-subj', `/CN=${name}`, ...newKey(key), ...signer];
  await run('openssl', [
    ...request,
    ...names,
    '-addext',
    'basicConstraints=critical,CA:FALSE',
    '-out',
    certificate,
  ]);
  return { key, certificate };
}

function newKey(file: string): readonly string[] {
  return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file];
}
