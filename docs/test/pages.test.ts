import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { runBeside, runHere } from './block-tests.ts';
import { allTexts, type Block, blocksOf, installs } from './page-blocks.ts';
import { runPage } from './run-page.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const limitMs = 180_000;

const pages = allTexts().filter(
  (file) =>
    file.startsWith('docs/') &&
    blocksOf(file).some((block) => block.notRun === undefined && runHere(file, block)),
);

/** The broker of these tests is one, and a cluster has three at least. */
const oneBroker = Object.fromEntries(
  ['CONFIG', 'OFFSET', 'STATUS'].map((topic) => [`CONNECT_${topic}_STORAGE_REPLICATION_FACTOR`, '1']),
);

describeWithSharedBroker('what a page says', { version: '3.9.1' }, (broker) => {
  it.each(pages)(
    'works: %s',
    async (page) => {
      const group = `levada-${page.replaceAll(/\W/g, '-')}`;
      const difference = await runPage(blocksOf(page), {
        places: [
          ['localhost:9092', broker().bootstrap],
          ['broker-1.example:9093', broker().endpoint('SASL_SSL')],
          ['group.id=levada', `group.id=${group}`],
          ...['configs', 'offsets', 'statuses'].map(
            (topic) => [`levada-${topic}`, `${group}-${topic}`] as const,
          ),
        ],
        files: { 'kafka-ca.pem': await readFile(broker().certificates?.authority ?? '', 'utf8') },
        environment: oneBroker,
      });
      expect(difference).toBeUndefined();
    },
    limitMs,
  );
});

it(
  'works: what the texts beside the pages say, on the worker that the first of them starts',
  async () => {
    const blocks = runBeside.flatMap((file) => [
      ...withChecks(blocksOf(file)),
      commands('levada connector delete prices || true'),
    ]);
    expect(await runPage([commands(surroundings), ...blocks], { places: [onPort] })).toBeUndefined();
  },
  limitMs,
);

/** The worker of the README has a fixed port. This command, which starts the same, takes another one. */
const onPort = ['levada-worker dev', 'levada worker dev --port 8083'] as const;

/** The files that configurations name. A refused request is a failure here, unless it is answered soon: a new connector has no status at first. */
const surroundings = `
curl() { command curl -sf --retry 9 --retry-all-errors --retry-delay 1 "$@"; }
mkdir tls && echo 'alice=secret' > users.properties
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout tls/key.pem -out tls/ca.pem
cat tls/key.pem tls/ca.pem > tls/worker.pem && chmod 600 tls/*.pem users.properties
ln -s '${repository}examples' examples
`;

function commands(text: string): Block {
  return { language: 'sh', path: '', text, line: 0 };
}

/** Puts after each configuration the command that checks it: those of workers as they are, parts of connectors in a connector. */
function withChecks(blocks: readonly Block[]): readonly Block[] {
  return blocks.flatMap((block) => {
    const { language, line, notRun } = block;
    if (notRun !== undefined || installs(block)) return [];
    const path = `block-${line}.${language}`;
    if (language === 'properties')
      return [{ ...block, path }, commands(`levada worker check-config ${path}`)];
    if (language !== 'json') return [block];
    const text = JSON.stringify({ ...connector, ...(JSON.parse(block.text) as object) });
    return [{ ...block, path, text }, commands(`levada connector validate -f ${path}`)];
  });
}

const connector = {
  'connector.class': 'WebSocketSource',
  'tasks.max': '1',
  'websocket.url': 'wss://feed.example/prices',
  'platform.topic': 'prices',
};
