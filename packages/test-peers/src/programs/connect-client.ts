import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BuiltProgram } from './build-folder.ts';
import { goBuild } from './go-build.ts';
import { javaBuild } from './java-build.ts';
import { pythonBuild } from './python-build.ts';

/** A call of a client library, and its arguments. */
export interface ConnectCall {
  readonly call: string;
  /** Of the connector. */
  readonly name?: string;
  /** Class of the plugin whose configuration is validated. */
  readonly plugin?: string;
  readonly config?: Readonly<Record<string, string>>;
  readonly task?: number;
  readonly includeTasks?: boolean;
  readonly onlyFailed?: boolean;
}

/** What the library returned, the error that it made of the worker's answer, or any other failure of the library. */
export type ConnectOutcome =
  | { readonly value: unknown }
  | { readonly status: number; readonly message: string }
  | { readonly problem: string };

/** A running program with a client library. */
export interface ConnectClient {
  /** One at a time. */
  readonly call: (call: ConnectCall) => Promise<ConnectOutcome>;
  /** Ends it. */
  readonly close: () => Promise<void>;
}

const path = (name: string): string => fileURLToPath(new URL(`../connect-clients/${name}`, import.meta.url));

/** Client libraries of Kafka Connect's REST interface: what Redpanda Console calls it with, kafka-connect-py, and kafka-connect-client. */
export const connectClients = {
  go: goBuild({ folder: path('go'), oldest: 24, what: 'client of Kafka Connect' }),
  python: pythonBuild({
    script: path('python/client.py'),
    packages: path('python/packages'),
    what: 'client of Kafka Connect',
  }),
  java: javaBuild({ folder: path('java'), mainClass: 'Client', what: 'client of Kafka Connect' }),
} as const satisfies Record<string, BuiltProgram>;

/** Language of a client library. */
export type ConnectClientName = keyof typeof connectClients;

/** Starts a program by its command for the worker with this base URL, which has no trailing slash. */
export function startConnectClient(command: readonly [string, ...string[]], url: string): ConnectClient {
  const [file, ...args] = command;
  const child = spawn(file, [...args, url], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
  });
  const exited = once(child, 'close');
  exited.catch(() => undefined);
  // A program that has ended says so by its missing answer.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    call: async (call) => {
      child.stdin.write(`${JSON.stringify(call)}\n`);
      const line = await lines.next();
      if (line.done === true) throw new Error(`"${file}" ended at the call "${call.call}"`);
      return JSON.parse(line.value) as ConnectOutcome;
    },
    close: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
