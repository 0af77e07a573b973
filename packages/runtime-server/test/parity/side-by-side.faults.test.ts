import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { startJavaWorker } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { onCluster } from '../end-to-end/worker-process.ts';
import { startInProcess } from '../worker-in-process.ts';
import { differences, type GoldenAnswer, type GoldenCase } from './golden-case.ts';
import { knownDifference, type Probe, probes } from './probes.ts';
import { readAnswer } from './read-answer.ts';
import { CaseSender } from './send-case.ts';

const golden = new URL('./golden/', import.meta.url);
const plugins = fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url));
const jsonConverter = 'org.apache.kafka.connect.json.JsonConverter';

async function newFiles(): Promise<string> {
  const files = await mkdtemp(join(tmpdir(), 'levada-side-by-side-'));
  onTestFinished(() => rm(files, { recursive: true, force: true }));
  await writeFile(join(files, 'in.txt'), 'one\ntwo\nthree\n');
  return files;
}

/** Sends a request, again and again where its answer takes time. */
function ask(sender: CaseSender, probe: Probe): Promise<GoldenAnswer> {
  let last = '';
  return waitFor(
    async () => {
      const { status, head, text } = await sender.send(probe);
      last = text;
      // Kafka Connect wants the call again, with 409 or 500, while its group rebalances; how long it does is a matter of speed.
      const rebalances = text.includes('because a rebalance is expected');
      const ready = !rebalances && (probe.until ?? []).every((part) => text.includes(part));
      const view = probe.call.endsWith('/validate') && status === 200 ? 'validation' : undefined;
      return ready ? { status, head, answer: readAnswer(text, view) } : undefined;
    },
    { timeoutMs: 60_000, what: () => `${probe.call} never answered ${probe.until?.join(' and ')}: ${last}` },
  );
}

describeWithSharedBroker('a Java worker and ours, asked the same', {}, (broker) => {
  it('give the same answers, but for differences that are decided', async () => {
    const files = await newFiles();
    const keys = (group: string): Readonly<Record<string, string>> => ({
      ...onCluster(broker().bootstrap, group),
      'connector.client.config.override.policy': 'All',
      'rest.advertised.host.name': '127.0.0.1',
    });
    const java = await startJavaWorker(broker(), keys('probes-java'));
    onTestFinished(() => java.stop());
    const ours = await startInProcess({
      ...keys('probes-ours'),
      'plugin.path': plugins,
      'rest.compat.strict': 'true',
    });
    onTestFinished(async () => void (await ours.end()));
    await ours.worker.started;
    const senderOf = (url: string, topic: string): CaseSender =>
      new CaseSender(url, [
        ['<files>', files],
        ['<topic>', topic],
      ]);
    const senders = [senderOf(java.url, 'probe-java'), senderOf(ours.worker.url, 'probe-ours')] as const;
    onTestFinished(() => {
      for (const sender of senders) sender.close();
    });
    const wrong: string[] = [];
    for (const probe of probes()) {
      const [expected, actual] = await Promise.all([ask(senders[0], probe), ask(senders[1], probe)]);
      const found = differences({ ...expected, head: {} }, actual);
      if (found.length > 0 && knownDifference(probe, expected, actual) === undefined) {
        wrong.push(`${probe.call} ${JSON.stringify(probe.body)}: ${found.join('; ')}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 300_000);
});

describe('with rest.compat.strict', () => {
  it.each(readdirSync(golden))(
    'gives the statuses that Kafka Connect gave: %s',
    async (file) => {
      const files = await newFiles();
      const ours = await startInProcess({
        'plugin.path': plugins,
        'key.converter': jsonConverter,
        'key.converter.schemas.enable': 'false',
        'value.converter': jsonConverter,
        'value.converter.schemas.enable': 'false',
        'offset.flush.interval.ms': '200',
        'rest.compat.strict': 'true',
      });
      onTestFinished(async () => void (await ours.end()));
      const sender = new CaseSender(ours.worker.url, [
        ['<files>', files],
        ['<topic>', 'golden-4711'],
      ]);
      onTestFinished(() => sender.close());
      await ask(sender, { call: 'GET /health', until: ['healthy'] });
      const wrong: string[] = [];
      for (const line of readFileSync(new URL(file, golden), 'utf8').trimEnd().split('\n')) {
        const row = JSON.parse(line) as GoldenCase;
        const { status } = await ask(sender, row);
        const expected =
          row.ours?.why === 'a client fault is answered with 4xx'
            ? row.status
            : (row.ours?.status ?? row.status);
        if (status !== expected)
          wrong.push(`${row.call} ${JSON.stringify(row.body)}: ${status} instead of ${expected}`);
      }
      expect(wrong).toEqual([]);
    },
    60_000,
  );
});
