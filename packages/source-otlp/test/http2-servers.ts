import { describe } from 'vitest';
import type { Http2Server } from '../src/receive/admission/receiver.ts';

/** That of Node 22 sends INTERNAL for calls that are refused before they were read: the configuration refuses it. */
const servers =
  Number.parseInt(process.versions.node, 10) < 24 ? (['levada'] as const) : (['levada', 'node'] as const);

/** The same tests over our own HTTP/2 server and over that of Node. */
export function describeOverServers(title: string, tests: (server: Http2Server) => void): void {
  describe.each(servers)(`${title}, over the HTTP/2 server of %s`, (server) => {
    tests(server);
  });
}
