// Writes the generated tables into READMEs, between `<!-- generated:NAME -->` and `<!-- /generated -->`.
// With --check it writes nothing, and fails when a README differs from what it would write. Needs built packages.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configTable, eventTable, metricTable } from './tables.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = new URL('../../packages/', import.meta.url);
const load = (path) => import(new URL(path, packages).href);

const { grpcSourceConnector } = await load('source-grpc/dist/index.js');
const { webSocketSourceConnector } = await load('source-websocket/dist/index.js');
const { workerConfigDef, workerEvents } = await load('runtime-server/dist/index.js');
const { embeddedLogEvents } = await load('platform-embedded/dist/index.js');
const { kafkaClientKeys, kafkaEvents } = await load('platform-kafka/dist/index.js');

/** README to the tables in it. */
const targets = {
  'packages/source-grpc/README.md': {
    config: configTable(grpcSourceConnector.config.keys),
    metrics: metricTable(grpcSourceConnector.metrics),
    events: eventTable(grpcSourceConnector.events),
  },
  'packages/source-websocket/README.md': {
    config: configTable(webSocketSourceConnector.config.keys),
    metrics: metricTable(webSocketSourceConnector.metrics),
    events: eventTable(webSocketSourceConnector.events),
  },
  'packages/runtime-server/README.md': {
    config: configTable(workerConfigDef.keys),
    events: eventTable(workerEvents),
  },
  'packages/platform-embedded/README.md': { events: eventTable(embeddedLogEvents) },
  'packages/platform-kafka/README.md': {
    config: configTable(kafkaClientKeys),
    events: eventTable(kafkaEvents),
  },
};

const check = process.argv.includes('--check');
let stale = 0;
for (const [file, tables] of Object.entries(targets)) {
  const before = readFileSync(root + file, 'utf8');
  const after = fill(file, before, tables);
  if (after === before) continue;
  stale += 1;
  process.stdout.write(
    `${file}: ${check ? 'differs from its tables, run "pnpm run generate"' : 'written'}\n`,
  );
  if (!check) writeFileSync(root + file, after);
}
process.exitCode = check && stale > 0 ? 1 : 0;

function fill(file, text, tables) {
  return Object.entries(tables).reduce((filled, [name, table]) => {
    const pattern = new RegExp(`(<!-- generated:${name} -->\n)[^]*?(<!-- /generated -->)`);
    if (!pattern.test(filled)) throw new Error(`${file}: no <!-- generated:${name} --> section`);
    return filled.replace(pattern, (_, open, close) => `${open}\n${table}\n\n${close}`);
  }, text);
}
