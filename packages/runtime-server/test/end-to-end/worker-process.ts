import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ObservedWorker } from './observed-worker.ts';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const flags = [
  '--disable-proto=delete',
  '--disallow-code-generation-from-strings',
  '--max-semi-space-size=8',
];
const children = new Set<ChildProcess>();

/** Kafka Connect's text converters, which a worker on a Kafka cluster has to name. */
export const textConverters = {
  'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
  'value.converter': 'org.apache.kafka.connect.storage.StringConverter',
} as const;

/** The keys of a worker on a cluster; `id` keeps its internal topics apart from those of other tests. */
export function onCluster(bootstrap: string, id: string): Readonly<Record<string, string>> {
  return {
    'bootstrap.servers': bootstrap,
    'group.id': id,
    'session.timeout.ms': '3000',
    'heartbeat.interval.ms': '500',
    'config.storage.topic': `${id}-configs`,
    'offset.storage.topic': `${id}-offsets`,
    'status.storage.topic': `${id}-status`,
    'config.storage.replication.factor': '1',
    'offset.storage.replication.factor': '1',
    'status.storage.replication.factor': '1',
    ...textConverters,
  };
}

/** What an operator starts: the built command with a configuration file in the folder, in a process of its own. */
export async function startWorkerProcess(
  folder: string,
  properties: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<ObservedWorker> {
  const file = join(folder, 'worker.properties');
  const rows = Object.entries({ listeners: 'http://127.0.0.1:0', ...properties });
  await writeFile(file, rows.map(([key, value]) => `${key}=${value}\n`).join(''));
  const child = spawn(process.execPath, [...flags, main, file], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => {
      children.delete(child);
      resolve(code ?? signal ?? 'unknown');
    });
  });
  const worker = new ObservedWorker({ pid: child.pid, ended, signal: (name) => child.kill(name) });
  child.stdout.setEncoding('utf8').on('data', (text: string) => worker.takeOutput(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => worker.takeErrors(text));
  return worker;
}

/** Ends what a failed test left running. */
export function killWorkerProcesses(): void {
  for (const child of children) child.kill('SIGKILL');
}
