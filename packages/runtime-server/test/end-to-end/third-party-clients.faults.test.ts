import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { startJavaWorker } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import {
  type ConnectClient,
  type ConnectClientName,
  type ConnectOutcome,
  connectClients,
  describeProgram,
  startConnectClient,
} from '@levada/test-peers/programs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startInProcess } from '../worker-in-process.ts';
import { type ClientStep, clientStory } from './client-story.ts';
import { onCluster } from './worker-process.ts';

type Command = readonly [string, ...string[]];

const names: readonly ConnectClientName[] = ['go', 'python', 'java'];
const plugins = fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url));
const STEP_LIMIT_MS = 30_000;
const STORY_LIMIT_MS = 120_000;

/** Runs the story on a worker up to the first step with another outcome than expected, and returns that. */
async function wrongStep(
  name: ConnectClientName,
  command: Command,
  url: string,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'levada-clients-'));
  const file = join(folder, 'in.txt');
  await writeFile(file, 'one\ntwo\nthree\n');
  const client = startConnectClient(command, url);
  onTestFinished(async () => {
    await client.close();
    await deleteAll(url);
    await rm(folder, { recursive: true, force: true });
  });
  for (const step of clientStory({ client: name, file, topic: `clients-${name}` })) {
    if (step.only !== undefined && !step.only.includes(name)) continue;
    const outcome = await take(client, step);
    if (!fits(outcome, step)) return `${JSON.stringify(step)}: ${JSON.stringify(outcome)}`;
  }
  return undefined;
}

/** Leaves an empty worker to the next story also after one that ended early. */
async function deleteAll(url: string): Promise<void> {
  const names = (await (await fetch(`${url}/connectors`)).json()) as readonly string[];
  for (const name of names)
    await fetch(`${url}/connectors/${encodeURIComponent(name)}`, { method: 'DELETE' });
}

/** The outcome of a step: its last one where its time ran out. */
async function take(client: ConnectClient, step: ClientStep): Promise<ConnectOutcome> {
  let last: ConnectOutcome = { problem: 'was not called' };
  const { before, value: _, refused: __, eventually, only: ___, ...call } = step;
  before?.();
  const settled = async (): Promise<boolean> => {
    last = await client.call(call);
    return !isRebalancing(last) && (eventually !== true || fits(last, step));
  };
  await waitFor(settled, { timeoutMs: STEP_LIMIT_MS }).catch(() => false);
  return last;
}

/** Kafka Connect refuses with 409 or 500 while its group rebalances, and wants the call again. */
function isRebalancing(outcome: ConnectOutcome): boolean {
  return 'status' in outcome && outcome.message.includes('because a rebalance is expected');
}

function fits(outcome: ConnectOutcome, { value, refused }: ClientStep): boolean {
  try {
    if (refused === undefined) {
      expect(outcome).toHaveProperty('value');
      if (value !== undefined) expect(outcome).toMatchObject({ value });
    } else {
      const [status, message] = refused;
      expect(outcome).toMatchObject({ status, message: expect.stringContaining(message) });
    }
    return true;
  } catch {
    return false;
  }
}

function describeClients(worker: () => string): void {
  for (const name of names) {
    const { unavailable, command } = connectClients[name];
    describeProgram(`the client in ${name}`, { unavailable, make: command }, (program) => {
      it(
        'takes a connector through its whole life',
        async () => {
          expect(await wrongStep(name, program(), worker())).toBeUndefined();
        },
        STORY_LIMIT_MS,
      );
    });
  }
}

describe('a worker of ours and clients of Kafka Connect', () => {
  let url = '';
  let end: (() => Promise<number>) | undefined;
  beforeAll(async () => {
    const ours = await startInProcess({ 'plugin.path': plugins });
    end = ours.end;
    await ours.worker.started;
    url = ours.worker.url;
  });
  afterAll(async () => void (await end?.()));
  describeClients(() => url);
});

describeWithSharedBroker('Kafka Connect and the same clients', {}, (broker) => {
  let url = '';
  let stop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const java = await startJavaWorker(broker(), onCluster(broker().bootstrap, 'third-party-clients'));
    stop = () => java.stop();
    url = java.url.replace(/\/$/, '');
  }, STORY_LIMIT_MS);
  afterAll(async () => stop?.());
  describeClients(() => url);
});
