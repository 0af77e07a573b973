import process from 'node:process';
import { exitCodes, type RunningWorker, runWorker, thisProcess } from '@levada/runtime-server';
import { createConnector } from './connector.ts';
import { startFeed } from './feed.ts';
import { statusLine } from './status-line.ts';

const CONNECTOR = 'prices';
const TOPIC = 'prices';
const FEED_PORT = Number(process.env['LEVADA_DEMO_FEED_PORT'] ?? '8084');
const FOLDER = '.levada';
const PORT = process.env['LEVADA_DEMO_PORT'] ?? '8083';

const feed = await startFeed({ port: FEED_PORT, messagesPerSecond: 20 });
const line = statusLine(process.stdout);
let running: RunningWorker | undefined;
const code = await runWorker({
  ...thisProcess(),
  // Nothing but this demo is configured here: CONNECT_* variables of the environment are left alone.
  environment: {},
  defaults: {
    listeners: `http://127.0.0.1:${PORT}`,
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
if (running !== undefined) await sayGoodbye(running);
process.exit(code);

async function follow(worker: RunningWorker): Promise<void> {
  await worker.started;
  await createConnector(worker.url, CONNECTOR, { url: feed.url, topic: TOPIC });
  process.stdout.write(welcome(worker.url));
  line.follow(`${worker.url}/connectors/${CONNECTOR}`);
}

async function sayGoodbye(worker: RunningWorker): Promise<void> {
  const { undelivered } = await worker.stop();
  const left = undelivered.reduce((sum, { count }) => sum + count, 0);
  const outcome =
    left === 0 ? 'everything received is in the log' : `${left} messages could not be delivered`;
  process.stdout.write(`Drained: ${outcome}, in ./${FOLDER}. "npm start" continues from there.\n`);
}

function welcome(url: string): string {
  const elsewhere = PORT === '8083' ? '' : ` --url ${url}`;
  return `
Live: ${feed.url}  ->  connector "${CONNECTOR}"  ->  topic "${TOPIC}" of the embedded log in ./${FOLDER}

  REST     ${url}
  Metrics  ${url}/metrics

Try in a second terminal, in this folder:

${hints([
  [`npx levada topic tail ${TOPIC}`, 'the records, as they arrive'],
  [`curl ${url}/connectors/${CONNECTOR}/status`, 'what Kafka Connect would answer'],
  [`npx levada describe connector ${CONNECTOR}${elsewhere}`, 'all there is to know'],
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
