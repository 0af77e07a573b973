// Writes the generated tables into READMEs, between `<!-- generated:NAME -->` and `<!-- /generated -->`, and files that are
// generated as a whole. With --check it writes nothing, and fails when a file differs from what it would write. Needs
// built packages.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { monitoringFiles } from '../monitoring/files.mjs';
import { configSchema } from './config-schema.mjs';
import { diagnosticFiles, diagnosticsFolder } from './diagnostics.mjs';
import { diagramFiles } from './diagrams.mjs';
import { errataFiles } from './errata.mjs';
import { optionsModule } from './options.mjs';
import { siteFiles } from './site.mjs';
import { streamProjectFiles } from './stream-project.mjs';
import {
  configTables,
  connectTable,
  eventTable,
  groupOfWorkerKey,
  metricTable,
  stageTable,
} from './tables.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = new URL('../../packages/', import.meta.url);
const load = (path) => import(new URL(path, packages).href);

const { grpcSourceConnector } = await load('source-grpc/dist/index.js');
const { otlpSourceConnector } = await load('source-otlp/dist/index.js');
const { webSocketSourceConnector } = await load('source-websocket/dist/index.js');
const { restTlsKeys, workerConfigDef, workerEvents } = await load('runtime-server/dist/index.js');
const { openApi } = await load('runtime-server/dist/rest/handler.js');
const { converterKeyTables } = await load('registry-converters/dist/index.js');
const { connectFamilies } = await load('connect-worker/dist/index.js');
const { seriesOf } = await load('runtime-server/dist/telemetry/connect-series.js');
const { leftOutSeries, workerSeries } = await load('runtime-server/dist/telemetry/exposition.js');
const { stateCounts, stateSeries } = await load('runtime-server/dist/telemetry/source-series.js');
const { connectPredicates, connectTransformations } = await load('connect-transforms/dist/index.js');
const { embeddedLogEvents } = await load('platform-embedded/dist/index.js');
const { kafkaClientKeys, kafkaEvents } = await load('platform-kafka/dist/index.js');
const streamProjectSchema = await load('stream-project-schema/dist/index.js');
const streamProjectCompiler = await load('stream-project-compiler/dist/index.js');
const { diagnosticExamples } = await load('stream-project-compiler/test/diagnostic-examples.ts');
const { sourceConnectorConfig } = await load('connect-worker/dist/config/connector-config.js');
const { createProgram } = await load('cli/dist/main.js');
const { outputSchemaFileName, outputSchemas } = await load('cli/dist/project/output-schemas.js');
const { fillGuide } = await load('stream-project-compiler/test/guide-support/fill-guide.ts');

/** Pages that show what the command prints. */
const guides = ['docs/guides/stream-projects.md', 'docs/guides/debezium.md'];

/** README to the tables in it. */
const targets = {
  'packages/source-grpc/README.md': {
    config: configTables(grpcSourceConnector.config.keys),
    metrics: metricTable(grpcSourceConnector.metrics),
    events: eventTable(grpcSourceConnector.events),
  },
  'packages/source-otlp/README.md': {
    config: configTables(otlpSourceConnector.config.keys),
    metrics: metricTable(otlpSourceConnector.metrics),
    events: eventTable(otlpSourceConnector.events),
  },
  'packages/source-websocket/README.md': {
    config: configTables(webSocketSourceConnector.config.keys),
    metrics: metricTable(webSocketSourceConnector.metrics),
    events: eventTable(webSocketSourceConnector.events),
  },
  'packages/registry-converters/README.md': {
    registry: configTables(converterKeyTables.registry),
    avro: configTables(converterKeyTables.avro),
    json: configTables(converterKeyTables.json),
    protobuf: configTables(converterKeyTables.protobuf),
  },
  'packages/runtime-server/README.md': {
    config: configTables(workerConfigDef.keys, groupOfWorkerKey),
    tls: configTables(restTlsKeys),
    connect: connectTable(connectFamilies, (family, name) => seriesOf(family, name, 'strimzi').name),
    events: eventTable(workerEvents),
  },
  'packages/connect-transforms/README.md': {
    config: stageTable([...connectTransformations, ...connectPredicates]),
  },
  'packages/platform-embedded/README.md': { events: eventTable(embeddedLogEvents) },
  'packages/platform-kafka/README.md': {
    config: configTables(kafkaClientKeys),
    events: eventTable(kafkaEvents),
  },
};

/** A worker whose values do not matter. */
const noWorker = {
  labels: {},
  process: () => ({ residentBytes: 0, cpuSeconds: 0 }),
  logUp: () => true,
  groupFindings: () => 0,
  descriptorsExhausted: () => 0,
};

const check = process.argv.includes('--check');
let stale = 0;
for (const [file, tables] of Object.entries(targets)) {
  settle(file, fill(file, readFileSync(root + file, 'utf8'), tables));
}
const files = {
  ...streamProjectFiles(streamProjectSchema),
  ...diagramFiles(),
  ...diagnosticFiles(streamProjectCompiler, await diagnosticExamples()),
  ...errataFiles(streamProjectCompiler),
  'packages/runtime-server/openapi.json': `${JSON.stringify(openApi(), null, 2)}\n`,
  'packages/source-grpc/src/config/gen/options.ts': optionsModule({
    name: 'GrpcOptions',
    factory: 'grpcSource',
    keys: grpcSourceConnector.config.keys,
  }),
  'packages/source-otlp/src/config/gen/options.ts': optionsModule({
    name: 'OtlpOptions',
    factory: 'otlpSource',
    keys: otlpSourceConnector.config.keys,
  }),
  'packages/source-websocket/src/config/gen/options.ts': optionsModule({
    name: 'WebSocketOptions',
    factory: 'websocketSource',
    keys: webSocketSourceConnector.config.keys,
  }),
  ...Object.fromEntries(
    Object.entries(outputSchemas).map(([id, schema]) => [
      `docs/public/schemas/${outputSchemaFileName(id)}`,
      `${JSON.stringify(schema, null, 2)}\n`,
    ]),
  ),
  ...Object.fromEntries(guides.map((guide) => [guide, fillGuide(readFileSync(root + guide, 'utf8'))])),
  ...monitoringFiles(helpOfSeries()),
  ...siteFiles({
    openApi: openApi(),
    program: commandLine(),
    series: helpOfSeries(),
    eventTables: eventsOfAll(),
    schemas: schemasOfConfigurations(),
    packageNames: publishedPackages(),
    apiReports: readdirSync(`${root}api`)
      .filter((file) => file.endsWith('.api.md'))
      .toSorted(),
  }),
};
for (const [file, content] of Object.entries(files)) settle(file, content);
for (const name of existsSync(root + diagnosticsFolder) ? readdirSync(root + diagnosticsFolder) : []) {
  const file = `${diagnosticsFolder}/${name}`;
  if (file in files) continue;
  process.stdout.write(`${file}: its code does not exist\n`);
  stale++;
  if (!check) rmSync(root + file);
}
process.exitCode = check && stale > 0 ? 1 : 0;

/** The `levada` command, of which only the help is asked. */
function commandLine() {
  const silent = () => undefined;
  return createProgram({ out: silent, err: silent, env: {}, cwd: '.', signal: new AbortController().signal });
}

function eventsOfAll() {
  return {
    Worker: eventTable(workerEvents),
    'gRPC source': eventTable(grpcSourceConnector.events),
    'WebSocket source': eventTable(webSocketSourceConnector.events),
    'OTLP source': eventTable(otlpSourceConnector.events),
    'Kafka cluster': eventTable(kafkaEvents),
    'Embedded log': eventTable(embeddedLogEvents),
  };
}

function publishedPackages() {
  return readdirSync(packages).filter((name) => {
    const manifest = new URL(`${name}/package.json`, packages);
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).private !== true;
  });
}

/** One JSON Schema for each connector, and one for the worker. */
function schemasOfConfigurations() {
  const connectors = {
    'grpc-source': grpcSourceConnector,
    'websocket-source': webSocketSourceConnector,
    'otlp-source': otlpSourceConnector,
  };
  const ofConnectors = Object.entries(connectors).map(([id, { className, config }]) => {
    const short = className.split('.').at(-1);
    const fixed = { 'connector.class': { enum: [className, short, short.replace(/Connector$/, '')] } };
    return [
      id,
      configSchema({
        id,
        title: `Configuration of ${className}`,
        keys: [...sourceConnectorConfig.keys.filter(({ name }) => name !== 'name'), ...config.keys],
        fixed,
      }),
    ];
  });
  const worker = configSchema({
    id: 'worker',
    title: 'Configuration of a worker',
    keys: workerConfigDef.keys,
  });
  return { ...Object.fromEntries(ofConnectors), worker };
}

/** Help of every series that a worker can show, by name. */
function helpOfSeries() {
  const measured = [grpcSourceConnector, otlpSourceConnector, webSocketSourceConnector].flatMap(
    ({ metrics }) =>
      Object.values(metrics).flatMap(({ series, help }) =>
        series === undefined ? [] : [[series.name, help]],
      ),
  );
  const ofConnect = Object.values(connectFamilies).flatMap((family) =>
    Object.entries(family.attributes).map(([name, { help }]) => [
      seriesOf(family, name, 'strimzi').name,
      help,
    ]),
  );
  const none = { connectors: 0, series: 0 };
  const ofWorker = [
    ...stateSeries([]),
    ...stateCounts([]),
    ...workerSeries(noWorker),
    ...leftOutSeries(none),
  ].map(({ name, help }) => [name, help]);
  return new Map([...measured.toReversed(), ...ofConnect, ...ofWorker]);
}

function settle(file, after) {
  if (existsSync(root + file) && readFileSync(root + file, 'utf8') === after) return;
  stale += 1;
  process.stdout.write(
    `${file}: ${check ? 'differs from its tables, run "pnpm run generate"' : 'written'}\n`,
  );
  if (check) return;
  mkdirSync(dirname(root + file), { recursive: true });
  writeFileSync(root + file, after);
}

function fill(file, text, tables) {
  return Object.entries(tables).reduce((filled, [name, table]) => {
    const pattern = new RegExp(`(<!-- generated:${name} -->\n)[^]*?(<!-- /generated -->)`);
    if (!pattern.test(filled)) throw new Error(`${file}: no <!-- generated:${name} --> section`);
    return filled.replace(pattern, (_, open, close) => `${open}\n${table}\n\n${close}`);
  }, text);
}
