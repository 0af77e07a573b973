import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { type JavaWorker, javaAnswers, startJavaWorker } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it, onTestFinished } from 'vitest';
import { onCluster } from '../end-to-end/worker-process.ts';
import { type InProcessWorker, startInProcess } from '../worker-in-process.ts';
import { type Beans, beanDifferences } from './bean-rules.ts';

const plugins = fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url));
const source = fileURLToPath(new URL('./java/ReadBeans.java', import.meta.url));
const patterns = ['kafka.connect:*', 'kafka.producer:type=producer-metrics,*'];

const className = 'org.apache.kafka.connect.file.FileStreamSourceConnector';
const LINES = 3000;
const taskBean = 'kafka.connect:connector=lines,task=0,type=source-task-metrics';
/** Fails for lines that are no numbers. */
const toNumbers = {
  transforms: 'cast',
  'transforms.cast.type': 'org.apache.kafka.connect.transforms.Cast$Value',
  'transforms.cast.spec': 'int32',
  'value.converter': 'org.apache.kafka.connect.converters.IntegerConverter',
};

type Config = Readonly<Record<string, string>>;

/** Connectors with all kinds of ends, and the states of each and its task. */
const connectors: Readonly<Record<string, { readonly config: Config; readonly states: string }>> = {
  lines: { config: { file: 'lines.txt' }, states: 'RUNNING RUNNING' },
  numbers: {
    config: { file: 'numbers.txt', ...toNumbers, 'errors.tolerance': 'all', 'errors.log.enable': 'true' },
    states: 'RUNNING RUNNING',
  },
  failing: { config: { file: 'numbers.txt', ...toNumbers }, states: 'RUNNING FAILED' },
  paused: { config: { file: 'missing.txt' }, states: 'RUNNING RUNNING' },
};

async function call(url: string, method: string, path: string, body?: object): Promise<string> {
  const answer = await fetch(`${url}/connectors${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return await answer.text();
}

async function untilStates(url: string, name: string, states: string): Promise<void> {
  type Status = { readonly connector?: { state: string }; readonly tasks?: readonly { state: string }[] };
  const found = async (): Promise<string> => {
    const { connector, tasks } = JSON.parse(await call(url, 'GET', `/${name}/status`)) as Status;
    return `${connector?.state} ${tasks?.[0]?.state}`;
  };
  await waitFor(async () => (await found()) === states, {
    timeoutMs: 60_000,
    what: () => `${name}: ${states}`,
  });
}

/** Creates all connectors, each with a topic of its own, and pauses one. */
async function work(url: string, id: string, files: string): Promise<void> {
  for (const [name, { config }] of Object.entries(connectors)) {
    const file = join(files, config['file'] ?? '');
    const whole = { 'connector.class': className, topic: `${id}-${name}`, ...config, file };
    // A Java worker refuses what comes during a rebalance.
    await waitFor(async () => (await call(url, 'PUT', `/${name}/config`, whole)).includes('"name"'));
  }
  for (const [name, { states }] of Object.entries(connectors)) await untilStates(url, name, states);
  await call(url, 'PUT', '/paused/pause');
  await untilStates(url, 'paused', 'PAUSED PAUSED');
}

async function beansOfJava(java: JavaWorker, version: Parameters<typeof javaAnswers>[0]['version']) {
  const lines = patterns.map((pattern) => `${java.jmxPort} ${pattern}`);
  const answers = await javaAnswers({ source, version }, lines);
  return Object.assign({}, ...answers.map((line) => JSON.parse(line) as Beans)) as Beans;
}

/** By the Jolokia agent, which has the names of JMX. */
async function beansOfOurs(ours: InProcessWorker): Promise<Beans> {
  const [, url = ''] = /jolokia_listening[^\n]*?(http:\/\/[^\s"]+)/.exec(ours.text()) ?? [];
  const requests = patterns.map((mbean) => ({ type: 'read', mbean }));
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(requests) });
  const answers = (await answer.json()) as readonly { readonly value: Beans }[];
  return Object.assign({}, ...answers.map(({ value }) => value)) as Beans;
}

describeWithSharedBroker('the metrics of a Java worker and of ours', {}, (broker) => {
  it('have the same names and, after the same work, the same values', async () => {
    const files = await mkdtemp(join(tmpdir(), 'levada-metrics-'));
    onTestFinished(() => rm(files, { recursive: true, force: true }));
    await writeFile(join(files, 'lines.txt'), 'a line\n'.repeat(LINES));
    await writeFile(join(files, 'numbers.txt'), '1\n2\nthree\n4\nfive\n6\n'.repeat(100));
    const keys = (group: string): Config => ({
      ...onCluster(broker().bootstrap, group),
      'offset.flush.interval.ms': '1000',
    });
    const java = await startJavaWorker(broker(), keys('metrics-java'), { jmx: true });
    onTestFinished(() => java.stop());
    const ours = await startInProcess({
      ...keys('metrics-ours'),
      'plugin.path': plugins,
      'jolokia.listeners': 'http://127.0.0.1:0',
    });
    onTestFinished(async () => void (await ours.end()));
    await ours.worker.started;
    await Promise.all([
      work(java.url.replace(/\/$/, ''), 'metrics-java', files),
      work(ours.worker.url, 'metrics-ours', files),
    ]);
    let found: readonly string[] = [];
    let polled: readonly unknown[] = [];
    await waitFor(
      async () => {
        const read = [beansOfJava(java, broker().version), beansOfOurs(ours)] as const;
        const beans = await Promise.all(read);
        found = beanDifferences(...beans);
        // Both have something to compare. A task that runs need not have read everything yet.
        polled = beans.map((side) => side[taskBean]?.['source-record-poll-total']);
        return found.length === 0 && polled.every((count) => count === LINES);
      },
      { timeoutMs: 60_000, what: () => [`polled: ${polled.join()}`, ...found].join('\n') },
    );
    expect(found).toEqual([]);
  }, 120_000);
});
