import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * A way to reach a peer: without TLS, with it, with certificates on both sides; without TLS and with the library's own limit
 * of pings; with connections that get GOAWAY after about a second, and then have time for that (`aged`) or not (`cut`);
 * and plain HTTP/2 without gRPC.
 */
export type Listener = 'plain' | 'tls' | 'mtls' | 'strict' | 'aged' | 'cut' | 'http';

/** A gRPC server of another implementation, in its own process. */
export interface Peer {
  readonly pid: number;
  /** Throws when the peer has no such listener. */
  readonly port: (listener: Listener) => number;
  readonly stop: () => Promise<void>;
}

/** Files from which a peer is started. */
export interface PeerFiles {
  /** A serialized descriptor set with the test service. */
  readonly descriptors: string;
  /** The folder with the certificates. */
  readonly certificates: string;
}

const READY_LIMIT_MS = 120_000;

/** Starts the process and waits for the line with its ports. It ends with this process at the latest. */
export async function spawnPeer(command: string, args: readonly string[]): Promise<Peer> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    const ports = JSON.parse(await firstLine(child)) as Readonly<Record<string, number>>;
    return {
      pid: child.pid as number,
      port: (listener) => {
        const port = ports[listener];
        if (port === undefined) throw new Error(`peer "${command}" does not listen as "${listener}"`);
        return port;
      },
      stop: async () => {
        child.kill('SIGKILL');
        await exited;
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  const limit = AbortSignal.timeout(READY_LIMIT_MS);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [event] = await Promise.race([
    once(lines, 'line', { signal: limit }),
    once(child, 'exit').then(([code]) => {
      throw new Error(`peer ended with ${code} before it was ready`);
    }),
  ]);
  return String(event);
}
