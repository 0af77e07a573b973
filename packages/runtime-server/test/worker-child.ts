import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { openEmbeddedReader } from '@levada/platform-embedded';

/** One line of a worker's log. */
export type LoggedLine = Readonly<Record<string, unknown>> & { readonly event?: string };

/** A worker in a process of its own. */
export interface WorkerChild {
  readonly process: ChildProcess;
  readonly lines: readonly LoggedLine[];
  /** What was written to standard error. */
  readonly errors: () => string;
  /** Base URL of its REST interface, as soon as it listens. */
  url(): Promise<string>;
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly json: unknown }>;
  /** Present value of one attribute of a connector. */
  metric(connector: string, attribute: string): Promise<number>;
  /** Waits until the connector and its only task are in this state. */
  untilState(connector: string, state: string): Promise<void>;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const decoder = new TextDecoder();
const children = new Set<ChildProcess>();

/**
 * Starts a worker with these variables beside a free port; `folder` is its working directory. `launcher`: a command that runs
 * the one that follows it.
 */
export function startWorkerChild(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
  launcher: readonly string[] = [],
): WorkerChild {
  const flags = ['--disallow-code-generation-from-strings', '--disable-proto=delete'];
  const command = launcher[0] ?? process.execPath;
  const own = [...flags, main, ...args];
  const child = spawn(
    command,
    launcher.length === 0 ? own : [...launcher.slice(1), process.execPath, ...own],
    {
      cwd: folder,
      env: { ...process.env, CONNECT_LISTENERS: 'http://127.0.0.1:0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  children.add(child);
  const lines: LoggedLine[] = [];
  let errors = '';
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((line) => JSON.parse(line) as LoggedLine));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => {
      children.delete(child);
      resolve(code ?? signal ?? 'unknown');
    });
  });
  const url = (): Promise<string> =>
    waitFor(() => lines.find(({ event }) => event === 'rest_listening')?.['url'] as string | undefined, {
      timeoutMs: 30_000,
      what: () => `no worker: ${errors}`,
    });
  const call: WorkerChild['call'] = async (method, path, body) => {
    const response = await fetch(`${await url()}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  };
  const untilState = async (connector: string, state: string): Promise<void> => {
    let last = '';
    await waitFor(
      async () => {
        const { json } = await call('GET', `/connectors/${connector}/status`);
        last = JSON.stringify(json);
        const { connector: own, tasks = [] } = json as {
          connector?: { state: string };
          tasks?: readonly { state: string }[];
        };
        return own?.state === state && tasks.every((task) => task.state === state) && tasks.length > 0;
      },
      { timeoutMs: 30_000, what: () => `${connector} never ${state}: ${last}` },
    );
  };
  const metric: WorkerChild['metric'] = async (connector, attribute) => {
    const { json } = await call('GET', `/connectors/${connector}/metrics`);
    const [attributes] = Object.values(json as Record<string, Record<string, number>>);
    return attributes?.[attribute] ?? Number.NaN;
  };
  return { process: child, lines, errors: () => errors, url, call, metric, untilState, ended };
}

/** Ends what a failed test left running. */
export function killChildren(): void {
  for (const child of children) child.kill('SIGKILL');
}

/** Values of a topic in the embedded log below a worker's folder, as text. */
export async function topicTexts(folder: string, topic: string): Promise<readonly string[]> {
  const reader = await openEmbeddedReader({ folder: `${folder}/.levada` });
  try {
    if ((await reader.topic(topic)) === undefined) return [];
    const texts: string[] = [];
    for await (const { value } of reader.read({ topic }))
      texts.push(decoder.decode(value ?? new Uint8Array()));
    return texts;
  } finally {
    await reader.close();
  }
}
