import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@levada/kafka-testkit';
import type { Log } from '../measure/log.ts';
import { startProgram } from '../measure/program.ts';
import type { RunningSystem } from '../measure/turns.ts';
import { createConnector, workerKeys } from './rest.ts';

/** A connector, and the topic that it writes to. */
export interface ConnectorStart {
  readonly topic: string;
  readonly config: Readonly<Record<string, string>>;
}

const starter = fileURLToPath(
  new URL('bin/levada-worker.js', import.meta.resolve('@levada/runtime-server/package.json')),
);

/** Our worker as it is installed, with the defaults of all keys that it does not need, and one connector. */
export async function startLevadaWorker(log: Log, { topic, config }: ConnectorStart): Promise<RunningSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'levada-compare-'));
  const url = `http://127.0.0.1:${(await freePorts(1))[0]}`;
  const properties = join(folder, 'worker.properties');
  const rows = { ...workerKeys(`ours-${topic}`), 'bootstrap.servers': log.broker.bootstrap, listeners: url };
  await writeFile(
    properties,
    Object.entries(rows)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  );
  const program = startProgram({
    name: 'our worker',
    core: 'measured',
    command: [process.execPath, ...nodeFlags(), starter, properties],
  });
  const stop = async (): Promise<void> => {
    await program.stop('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  };
  void drain(program.line);
  try {
    await createConnector(`${url}/`, topic, { 'tasks.max': '1', ...config });
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: program.pid, output: program.output, stored: () => log.stored(topic), stop };
}

/** The flags that the installed command gives to Node. */
function nodeFlags(): readonly string[] {
  const [first = ''] = readFileSync(starter, 'utf8').split('\n');
  return first.split(' ').filter((word) => word.startsWith('--'));
}

/** Reads what the worker logs, so that it never waits for us. */
async function drain(line: () => Promise<string>): Promise<void> {
  const ended = new AbortController();
  while (!ended.signal.aborted) await line().catch(() => ended.abort());
}
