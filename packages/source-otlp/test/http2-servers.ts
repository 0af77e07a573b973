import { describe } from 'vitest';
import type { Http2Server } from '../src/receive/admission/receiver.ts';

/** The same tests over our own HTTP/2 server and over that of Node. */
export function describeOverServers(title: string, tests: (server: Http2Server) => void): void {
  describe.each(['levada', 'node'] as const)(`${title}, over the HTTP/2 server of %s`, (server) => {
    tests(server);
  });
}
