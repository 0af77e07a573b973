import { createServer } from 'node:net';

/** Below the range that outgoing connections are given, so none of those takes a port while its owner is down. */
const LOWEST = 20_000;
/** One part of the range for each process of a test run, so that none takes what another one has found and not opened yet. */
const PARTS = 6;
const PORTS_OF_PART = 2_000;
const TRIES = 200;
const given = new Set<number>();

/** Ports without a listener, each given only once by this process. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const part = Number(process.env['VITEST_POOL_ID'] ?? 0) % PARTS;
  const ports: number[] = [];
  for (let tries = 0; ports.length < count && tries < TRIES; tries++) {
    const port = LOWEST + part * PORTS_OF_PART + Math.floor(Math.random() * PORTS_OF_PART);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) ports.push(port);
  }
  if (ports.length < count) throw new Error(`no ${count} free ports after ${TRIES} tries`);
  return ports;
}

/** Whether a server could listen on the port now, on any address of this machine. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)));
  });
}
