import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type InProcessWorker, startInProcess } from '../worker-in-process.ts';
import { undescribed } from './described.ts';
import { differences, expectedAnswer, type GoldenAnswer, type GoldenCase } from './golden-case.ts';
import { readAnswer } from './read-answer.ts';
import { CaseSender } from './send-case.ts';

const golden = new URL('./golden/', import.meta.url);
const jsonConverter = 'org.apache.kafka.connect.json.JsonConverter';

let sender: CaseSender;
let worker: InProcessWorker;
let files: string;

beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), 'levada-parity-'));
  await writeFile(join(files, 'in.txt'), 'one\ntwo\nthree\n');
  worker = await startInProcess({
    'plugin.path': fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url)),
    'key.converter': jsonConverter,
    'key.converter.schemas.enable': 'false',
    'value.converter': jsonConverter,
    'value.converter.schemas.enable': 'false',
    'offset.flush.interval.ms': '200',
  });
  sender = new CaseSender(worker.worker.url, [
    ['<files>', files],
    ['<topic>', 'golden-4711'],
  ]);
  await ask({ call: 'GET /health', status: 200, until: ['healthy'] });
});

afterEach(async () => {
  sender.close();
  await worker.end();
  await rm(files, { recursive: true, force: true });
});

describe('our worker answers as Kafka Connect 3.9.1 does, and as /openapi.json says', () => {
  it.each(readdirSync(golden).map((file) => [file.replace('.jsonl', '').replaceAll('-', ' '), file]))(
    'about: %s',
    async (_name, file) => {
      const wrong: string[] = [];
      for (const line of readFileSync(new URL(file, golden), 'utf8').trimEnd().split('\n')) {
        const row = JSON.parse(line) as GoldenCase;
        const answer = await ask(row);
        const found = [...differences(expectedAnswer(row), answer), ...answer.undescribed];
        if (found.length > 0) wrong.push(`${row.call} ${JSON.stringify(row.body)}: ${found.join('; ')}`);
      }
      expect(wrong).toEqual([]);
    },
    60_000,
  );
});

/** Sends a request, again and again where its answer takes time. */
function ask(row: GoldenCase): Promise<GoldenAnswer & { readonly undescribed: readonly string[] }> {
  let last = '';
  return waitFor(
    async () => {
      const { status, head, text } = await sender.send(row);
      last = text;
      const ready = (row.until ?? []).every((part) => text.includes(part));
      if (!ready) return undefined;
      const answer = readAnswer(text, row.view);
      return { status, head, answer, undescribed: undescribed(row.call, status, text) };
    },
    { timeoutMs: 15_000, what: () => `${row.call} never answered ${row.until?.join(' and ')}: ${last}` },
  );
}
