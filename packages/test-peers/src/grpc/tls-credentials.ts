import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServerCredentials } from '@grpc/grpc-js';

/** What a test server shows, from the folder of `makeCertificates`; `mutual`: clients need a certificate of the same authority. */
export function tlsCredentials(folder: string, { mutual }: { readonly mutual: boolean }): ServerCredentials {
  const file = (name: string): Buffer => readFileSync(join(folder, name));
  const pair = { private_key: file('server.key'), cert_chain: file('server.pem') };
  return ServerCredentials.createSsl(file('ca.pem'), [pair], mutual);
}
