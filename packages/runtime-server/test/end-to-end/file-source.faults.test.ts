import { appendFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { countTopic, createTopic, readTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { topicTexts } from '../worker-child.ts';
import type { ObservedWorker } from './observed-worker.ts';
import { stage } from './stage.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();

const plugins = {
  'plugin.path': fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url)),
  'offset.flush.interval.ms': '50',
};

/** Lines have one length, so that a position is a number of lines. */
const line = (number: number): string => `line ${String(number).padStart(8, '0')}`;
const LINE_BYTES = line(0).length + 1;
const LINES_AT_ONCE = 25;

/** A file that grows until `end`, which returns how many lines there are. */
function growingFile(file: string): { end(): number } {
  let written = 0;
  const timer = setInterval(() => {
    const more = Array.from({ length: LINES_AT_ONCE }, (_, i) => `${line(written + i)}\n`);
    appendFileSync(file, more.join(''));
    written += LINES_AT_ONCE;
  }, 5);
  return {
    end: () => {
      clearInterval(timer);
      return written;
    },
  };
}

/** The worker was killed when this many lines were committed at least, and this many records stored. */
interface Kill {
  readonly committed: number;
  readonly stored: number;
}

/** Where the records are. */
interface Lines {
  readonly properties: Readonly<Record<string, string>>;
  readonly count: (folder: string) => Promise<number>;
  readonly texts: (folder: string) => Promise<readonly string[]>;
}

async function committedLines(worker: ObservedWorker): Promise<number> {
  const { json } = await worker.call('GET', '/connectors/lines/offsets');
  return (json?.offsets?.[0]?.offset?.position ?? 0) / LINE_BYTES;
}

/** Waits until the committed offset has moved, and kills the worker while it reads. */
async function killUnderWay(worker: ObservedWorker, count: () => Promise<number>): Promise<Kill> {
  await worker.untilState('lines', 'RUNNING');
  const before = await committedLines(worker);
  const committed = await waitFor(
    async () => {
      const now = await committedLines(worker);
      return now >= before + 200 ? now : undefined;
    },
    { timeoutMs: 20_000, what: () => worker.output() },
  );
  await worker.end('SIGKILL');
  return { committed, stored: await count() };
}

interface Outcome {
  readonly texts: readonly string[];
  readonly kills: readonly Kill[];
  /** Lines that were written to the file. */
  readonly total: number;
}

/** What must not be: lines that are missing, holes within a life, lines that were committed and came again. */
function faults({ texts, kills, total }: Outcome) {
  const numbers = texts.map((text) => Number(text.slice('line '.length)));
  const present = new Set(numbers);
  const begins = new Set([0, ...kills.map(({ stored }) => stored)]);
  return {
    altered: texts.filter((text, i) => text !== line(numbers[i] as number)),
    missing: Array.from({ length: total }, (_, n) => n).filter((n) => !present.has(n)),
    holes: numbers.filter((n, i) => !begins.has(i) && n !== (numbers[i - 1] as number) + 1),
    repeated: kills.flatMap(({ committed, stored }) => numbers.slice(stored).filter((n) => n < committed)),
  };
}

const none = { altered: [], missing: [], holes: [], repeated: [] };

async function killRepeatedly({ properties, count, texts }: Lines, times: number): Promise<Outcome> {
  const folder = await newFolder();
  const file = join(folder, 'lines.txt');
  await writeFile(file, '');
  const growing = growingFile(file);
  onTestFinished(() => void growing.end());
  const kills: Kill[] = [];
  for (let life = 0; life < times; life += 1) {
    const worker = await startWorkerProcess(folder, { ...plugins, ...properties });
    await worker.ready();
    await worker.call('PUT', '/connectors/lines/config', {
      'connector.class': 'FileStreamSource',
      'tasks.max': '1',
      file,
      topic: 'lines',
      'batch.size': '20',
    });
    kills.push(await killUnderWay(worker, () => count(folder)));
  }
  const last = await startWorkerProcess(folder, { ...plugins, ...properties });
  await last.untilState('lines', 'RUNNING');
  const total = growing.end();
  await waitFor(async () => (await committedLines(last)) === total, { timeoutMs: 20_000 });
  await last.end('SIGTERM');
  return { texts: await texts(folder), kills, total };
}

describe('the file stream source, loaded through plugin.path, on the embedded log', () => {
  it('neither loses nor repeats a committed line when the worker is killed again and again', async () => {
    const outcome = await killRepeatedly(
      {
        properties: {},
        count: async (folder) => (await topicTexts(folder, 'lines')).length,
        texts: (folder) => topicTexts(folder, 'lines'),
      },
      4,
    );
    expect(outcome.total).toBeGreaterThan(800);
    expect(faults(outcome)).toEqual(none);
  });
});

describeWithSharedBroker('the file stream source, loaded through plugin.path, on a cluster', {}, (broker) => {
  it('neither loses nor repeats a committed line when the worker is killed', async () => {
    await createTopic(broker(), 'lines');
    const texts = async (): Promise<readonly string[]> => {
      const records = await readTopic(broker(), 'lines', { count: await countTopic(broker(), 'lines') });
      return records.map(({ value }) => String(value));
    };
    const properties = onCluster(broker().bootstrap, 'files');
    const count = (): Promise<number> => countTopic(broker(), 'lines');
    const outcome = await killRepeatedly({ properties, texts, count }, 2);
    expect(outcome.total).toBeGreaterThan(400);
    expect(faults(outcome)).toEqual(none);
  });
});
