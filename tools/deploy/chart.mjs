// The chart of Helm: lint, what it makes of the values in deploy/helm/cases, and whether a worker takes the configuration in it.
// `check.mjs chart --update` writes what it makes.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { goProgram } from '../go-program.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const chart = 'deploy/helm/levada';
const dashboard = `${chart}/files/grafana-dashboard.json`;
/** Of the cluster that the chart is rendered for; `go install` leaves a version out of Helm. */
const KUBERNETES = '1.31.0';

/** Values that must be refused, and by what. */
const refusals = [
  { set: 'replica=2', says: "additional properties 'replica' not allowed" },
  { set: 'connectors.a.topic=b', says: "missing property 'connector.class'" },
  { set: 'worker.config.retries=9223372036854775807', says: 'maximum: got' },
  { set: 'otlp.enabled=true,kafka.bootstrapServers={a:9092}', says: 'otlp.enabled needs replicas: 1' },
  { set: 'image.digest=1.2.3', says: "does not match pattern '^(sha256:" },
  { set: 'ingress.enabled=true', says: 'ingress.enabled needs ingress.hosts' },
  {
    set: 'ingress.enabled=true,ingress.hosts={a.example}',
    says: 'ingress.enabled needs networkPolicy.restFrom',
  },
  { set: 'worker.config.bootstrap\\.servers=a:9092', says: 'worker.config must not have bootstrap.servers' },
];

/** Problems, one text each. */
export function checkChart({ update = false, builds = true } = {}) {
  const program = goProgram('helm.sh/helm/v3/cmd/helm', 'v3.22.0', { builds });
  if (program === undefined && !builds) {
    process.stdout.write(
      'the chart was not checked: Helm is not built here yet, which `pnpm run check:deploy` does\n',
    );
    return [];
  }
  if (program === undefined) {
    process.stdout.write('the chart was not checked: Helm is built with Go 1.26 or newer\n');
    return process.env.CI === 'true' ? ['no Go was found'] : [];
  }
  const helm = (...words) => spawnSync(program, words, { cwd: root, encoding: 'utf8' });
  const cases = globSync('deploy/helm/cases/*/values.yaml', { cwd: root }).sort();
  return [
    ...cases.flatMap((values) => checkCase(helm, { values, update })),
    ...packageProblems(helm),
    ...refusals.flatMap(({ set, says }) => {
      const { status, stderr } = render(helm, chart, '--set', set);
      return status !== 0 && stderr.includes(says) ? [] : [`--set ${set}: expected "${says}", got ${stderr}`];
    }),
  ];
}

function render(helm, from, ...words) {
  return helm('template', 'feeds', from, '--namespace=streams', `--kube-version=${KUBERNETES}`, ...words);
}

function checkCase(helm, { values, update }) {
  const lint = helm('lint', '--strict', chart, '--values', values, `--kube-version=${KUBERNETES}`);
  if (lint.status !== 0) return [`${values}: ${lint.stdout}${lint.stderr}`];
  const { status, stdout, stderr } = render(helm, chart, '--values', values);
  if (status !== 0) return [`${values}: ${stderr}`];
  return [...difference(values, { stdout, update }), ...workerProblems(values, stdout)];
}

/** A later version of the chart, as a release packages it, with the same image: its pods are the same, so that no worker restarts. */
function packageProblems(helm) {
  const folder = mkdtempSync(join(tmpdir(), 'levada-chart-'));
  try {
    const version = '99.0.0';
    const words = ['--version', version, '--app-version', version, '--destination', folder];
    const { status, stderr } = helm('package', chart, ...words);
    if (status !== 0) return [`helm package: ${stderr}`];
    const [now, later] = [chart, join(folder, `levada-${version}.tgz`)].map((from) => podOf(helm, from));
    return now === later ? [] : [`another version of the chart restarts workers: ${later}, expected ${now}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function podOf(helm, from) {
  const values = ['image.tag=1.0.0', 'kafka.bootstrapServers={broker:9092}'];
  const { stdout } = render(helm, from, '--set', values.join(','));
  const documents = parseAllDocuments(stdout).map((document) => document.toJS());
  const { spec } = documents.find((one) => one?.kind === 'Deployment');
  return JSON.stringify(spec.template);
}

/** The dashboard is compared here, and not repeated in what is compared. */
function difference(values, { stdout, update }) {
  const indented = readFileSync(join(root, dashboard), 'utf8').replace(/^/gm, '    ');
  const text = stdout.replace(indented.trimEnd(), `    ${basename(dashboard)}`);
  const file = join(dirname(values), 'rendered.yaml');
  const path = join(root, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return [];
  if (update) {
    writeFileSync(path, text);
    process.stdout.write(`${file}: written\n`);
    return [];
  }
  const expected = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const at = text.split('\n').findIndex((line, index) => line !== expected[index]);
  return [
    `${file}:${at + 1} differs from what the chart makes, "${text.split('\n')[at]}": node tools/deploy/check.mjs chart --update`,
  ];
}

/** What a worker says of its configuration, but for files of secrets, which are not here. */
function workerProblems(values, stdout) {
  const documents = parseAllDocuments(stdout).map((document) => document.toJS());
  const text = documents.find((one) => one?.data?.['worker.yaml'] !== undefined)?.data['worker.yaml'];
  if (text === undefined) return [`${values}: no ConfigMap has a worker.yaml`];
  const folder = mkdtempSync(join(tmpdir(), 'levada-chart-'));
  try {
    const file = join(folder, 'worker.yaml');
    // Folders of a pod, which have to be there.
    writeFileSync(file, text.replace(/"\/(?:data|etc\/levada)"/g, JSON.stringify(folder)));
    const words = [join(root, 'packages/cli/bin/levada.js'), 'worker', 'check-config', file];
    const env = {
      PATH: process.env.PATH,
      CONNECT_REST_ADVERTISED_HOST_NAME: '192.0.2.1',
      CONNECT_SASL_JAAS_CONFIG:
        'org.apache.kafka.common.security.scram.ScramLoginModule required username="a" password="b";',
    };
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env });
    const lines = stderr
      .split('\n')
      .filter((line) => line.startsWith('  ') && !/\(warning\)|not checked:/.test(line));
    const problems = lines.filter((line) => !line.includes('/etc/levada/secrets/'));
    if (status === 0 || (lines.length > 0 && problems.length === 0)) return [];
    return problems.length > 0
      ? problems.map((line) => `${values}: ${line.trim()}`)
      : [`${values}: ${stderr}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
