import { beforeAll, describe } from 'vitest';
import type { Http2Server } from '../src/receive/admission/receiver.ts';

let current: Http2Server = 'levada';

/** The server that receivers of the running test use. */
export const http2UnderTest = (): Http2Server => current;

/** The same tests over our own HTTP/2 server and over that of Node. */
export function describeOverServers(title: string, tests: (server: Http2Server) => void): void {
  describe.each(['levada', 'node'] as const)(`${title}, over the HTTP/2 server of %s`, (server) => {
    beforeAll(() => {
      current = server;
      return () => {
        current = 'levada';
      };
    });
    tests(server);
  });
}
