import { createServer } from 'node:net';

const LOWEST = 20_000;
const COUNT = 12_000;
const TRIES = 100;

/**
 * Ports on 127.0.0.1 without a listener. They lie below the range that outgoing connections are given, so none of those
 * takes a port while its broker is down.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  for (let tries = 0; ports.size < count && tries < TRIES; tries++) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) ports.add(port);
  }
  if (ports.size < count) throw new Error(`no ${count} free ports on 127.0.0.1 after ${TRIES} tries`);
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
