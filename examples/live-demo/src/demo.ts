import process from 'node:process';
import { exitCodes, type RunningWorker, runWorker, thisProcess } from '@levada/runtime-server';
import { createConnector } from './connector.ts';
import { type Feed, type FeedOptions, startFeed } from './feed.ts';
import { statusLine } from './status-line.ts';

const CONNECTOR = 'prices';
const TOPIC = 'prices';
const FOLDER = '.levada';
const FEED_PORT = '8084';
const MESSAGES_PER_SECOND = 20;

/** How the commands are called that the demo names. */
export interface DemoWords {
  /** What calls `levada`, such as "npx levada". */
  readonly levada: string;
  /** What starts the demo, such as "npm start". */
  readonly demo: string;
}

/** Runs the demo in the current folder until a signal ends it; resolves with the exit code. */
export async function runDemo(words: DemoWords): Promise<number> {
  const port = process.env['LEVADA_DEMO_PORT'] ?? '8083';
  const feed = await startFeed(feedOptions());
  const line = statusLine(process.stdout);
  const follow = async (worker: RunningWorker): Promise<void> => {
    await worker.started;
    await createConnector(worker.url, CONNECTOR, { url: feed.url, topic: TOPIC });
    process.stdout.write(welcome(words, { feed, url: worker.url, elsewhere: port !== '8083' }));
    line.follow(`${worker.url}/connectors/${CONNECTOR}`);
  };
  let running: RunningWorker | undefined;
  const code = await runWorker({
    ...thisProcess(),
    // Nothing but this demo is configured here: CONNECT_* variables of the environment are left alone.
    environment: {},
    defaults: {
      listeners: `http://127.0.0.1:${port}`,
      'embedded.storage.folder': FOLDER,
      'log.level': 'warn',
    },
    onListening: (worker) => {
      running = worker;
      follow(worker).catch((error: unknown) => {
        process.stderr.write(`the demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
        process.kill(process.pid, 'SIGTERM');
      });
    },
  });
  line.end();
  await feed.close();
  if (code === exitCodes.startFailed) {
    process.stderr.write('Choose another port with LEVADA_DEMO_PORT=9083 if this one is taken.\n');
  }
  if (running !== undefined) await sayGoodbye(running, words);
  return code;
}

/** Runs the feed of the demo alone, for workers elsewhere, until a signal ends it. */
export async function runFeed(): Promise<void> {
  const feed = await startFeed(feedOptions());
  process.stdout.write(`${feed.url} sends prices; POST ${feed.controlUrl}/stop and /start switch it\n`);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await feed.close();
}

function feedOptions(): FeedOptions {
  const { LEVADA_DEMO_FEED_PORT: port = FEED_PORT, LEVADA_DEMO_FEED_HOST: host } = process.env;
  return {
    port: Number(port),
    messagesPerSecond: MESSAGES_PER_SECOND,
    ...(host === undefined ? {} : { host }),
  };
}

async function sayGoodbye(worker: RunningWorker, { demo }: DemoWords): Promise<void> {
  const { undelivered } = await worker.stop();
  const left = undelivered.reduce((sum, { count }) => sum + count, 0);
  const outcome =
    left === 0 ? 'everything received is in the log' : `${left} messages could not be delivered`;
  process.stdout.write(`Drained: ${outcome}, in ./${FOLDER}. "${demo}" continues from there.\n`);
}

interface Places {
  readonly feed: Feed;
  /** Of the worker. */
  readonly url: string;
  /** Not on the port that commands take when they are not given any. */
  readonly elsewhere: boolean;
}

function welcome({ levada }: DemoWords, { feed, url, elsewhere }: Places): string {
  const option = elsewhere ? ` --url ${url}` : '';
  return `
Live: ${feed.url}  ->  connector "${CONNECTOR}"  ->  topic "${TOPIC}" of the embedded log in ./${FOLDER}

  REST     ${url}
  Metrics  ${url}/metrics

Try in a second terminal, in this folder:

${hints([
  [`${levada} topic tail ${TOPIC}`, 'the records, as they arrive'],
  [`curl ${url}/connectors/${CONNECTOR}/status`, 'what Kafka Connect would answer'],
  [`${levada} describe connector ${CONNECTOR}${option}`, 'all there is to know'],
  [`curl -X POST ${feed.controlUrl}/stop`, 'stops the feed: watch the connector reconnect'],
  [`curl -X POST ${feed.controlUrl}/start`, 'starts it again'],
  [`curl -X PUT ${url}/connectors/${CONNECTOR}/pause`, 'closes the connection; /resume opens it again'],
])}

Ctrl+C drains and stops.

`;
}

function hints(rows: readonly (readonly [command: string, what: string])[]): string {
  const width = Math.max(...rows.map(([command]) => command.length));
  return rows.map(([command, what]) => `  ${command.padEnd(width)}  ${what}`).join('\n');
}
