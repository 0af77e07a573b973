// What the chart makes, as the API server of a cluster would read it: kubectl-validate has the OpenAPI documents of Kubernetes, and refuses
// unknown fields, wrong types and names. Kinds of the Prometheus operator are read from its own definitions.
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { goModule, goProgram } from '../go-program.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The oldest that the chart is for, and the newest that this kubectl-validate holds; it would look up others on the network. */
const versions = [...new Set([oldestVersion(), '1.30'])];
const operator = {
  module: 'github.com/prometheus-operator/prometheus-operator',
  version: 'v0.85.0',
  folder: 'example/prometheus-operator-crd',
  kinds: ['prometheusrules', 'servicemonitors'],
};

/** Mistakes in a rendered case that must be found, each in the place of a text of it, and what is said of them. */
const mistakes = [
  {
    text: 'serviceAccountName:',
    mistake: 'serviceAcountName:',
    says: /spec\.serviceAcountName: .*unknown field/,
  },
  { text: 'replicas: 3', mistake: 'replicas: three', says: /spec\.replicas: .*must be of type integer/ },
  { text: '- alert:', mistake: '- alarm:', says: /spec\.groups\[0\]\.rules\[0\]\.alarm: .*unknown field/ },
  {
    text: 'interval: 30s',
    mistake: 'interval: 30 s',
    says: /spec\.endpoints\[0\]\.interval: .*should match/,
  },
  { text: 'apiVersion: apps/v1', mistake: 'apiVersion: apps/v2', says: /apps\/v2/ },
];

/** Problems, one text each. */
export function checkSchemas({ builds = true } = {}) {
  const program = goProgram('sigs.k8s.io/kubectl-validate', 'v0.0.4', { builds });
  if (program === undefined) {
    const why = builds
      ? 'kubectl-validate is built with Go 1.22 or newer'
      : 'kubectl-validate is not built here yet, which `pnpm run check:deploy` does';
    process.stdout.write(`what the chart makes was not compared with schemas: ${why}\n`);
    return builds && process.env.CI === 'true' ? ['no Go was found'] : [];
  }
  const home = mkdtempSync(join(tmpdir(), 'levada-schemas-'));
  try {
    const definitions = writeDefinitions(home);
    const files = globSync('deploy/helm/cases/*/rendered.yaml', { cwd: root }).sort();
    return versions.flatMap((version) => {
      const validate = (paths) => run(program, { version, home, definitions, paths });
      const problems = problemsOf(files, validate);
      const all = problems.length > 0 ? problems : missedMistakes(home, validate);
      return all.map((problem) => `Kubernetes ${version}: ${problem}`);
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function oldestVersion() {
  const { kubeVersion } = parse(readFileSync(join(root, 'deploy/helm/levada/Chart.yaml'), 'utf8'));
  return /^>=(\d+\.\d+)\./.exec(kubeVersion)[1];
}

function writeDefinitions(home) {
  const folder = join(home, 'definitions');
  mkdirSync(folder);
  const module = goModule(operator.module, operator.version);
  for (const kind of operator.kinds) {
    const name = `monitoring.coreos.com_${kind}.yaml`;
    copyFileSync(join(module, operator.folder, name), join(folder, name));
  }
  return folder;
}

/** What is said of each document, by file. Without an environment of its own it would ask the cluster that this user works with. */
function run(program, { version, home, definitions, paths }) {
  const words = ['--version', version, '--local-crds', definitions, '--output', 'json', ...paths];
  const env = { HOME: home, PATH: process.env.PATH };
  const { stdout, stderr } = spawnSync(program, words, { cwd: root, encoding: 'utf8', env });
  try {
    return JSON.parse(stdout);
  } catch (cause) {
    throw new Error(`kubectl-validate: ${stdout}${stderr}`, { cause });
  }
}

function problemsOf(files, validate) {
  const answers = validate(files);
  return files.flatMap((file) => {
    const documents = parseAllDocuments(readFileSync(join(root, file), 'utf8'));
    const statuses = answers[file] ?? [];
    if (statuses.length !== documents.length) {
      return [`${file}: ${statuses.length} of ${documents.length} documents were read`];
    }
    return statuses.flatMap(({ status, message }, index) => {
      const { kind, metadata } = documents[index].toJS();
      return status === 'Success' ? [] : [`${file}: ${kind} ${metadata.name}: ${message.trim()}`];
    });
  });
}

/** A validator that finds nothing would not be noticed otherwise. */
function missedMistakes(home, validate) {
  const rendered = readFileSync(join(root, 'deploy/helm/cases/kafka/rendered.yaml'), 'utf8');
  const files = mistakes.map(({ text, mistake }, index) => {
    if (!rendered.includes(text)) throw new Error(`deploy/helm/cases/kafka/rendered.yaml has no "${text}"`);
    const file = join(home, `mistake-${index}.yaml`);
    writeFileSync(file, rendered.replaceAll(text, mistake));
    return file;
  });
  const answers = validate(files);
  return mistakes.flatMap(({ mistake, says }, index) => {
    const messages = answers[files[index]].map(({ message }) => message ?? '');
    return messages.some((message) => says.test(message))
      ? []
      : [`"${mistake}" was not found: expected ${says}, got ${messages.join('').trim()}`];
  });
}
