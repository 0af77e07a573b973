// deploy/compose, as docker compose reads it: its own parser refuses unknown keys and wrong types. What it starts is
// tested in tools/executable/test/compose.test.ts, and run in .github/workflows/containers.yml.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goProgram } from '../go-program.mjs';

const folder = fileURLToPath(new URL('../../deploy/compose/', import.meta.url));

/** Mistakes that must be found, each in the place of a text, and what is said of them. */
const mistakes = [
  { text: 'healthcheck:', mistake: 'healthchek:', says: /healthchek/ },
  { text: 'retries: 24', mistake: 'retries: many', says: /retries/ },
];

/** Problems, one text each. */
export function checkCompose() {
  // Built in half a minute, once for a user: no reason to leave it out anywhere.
  const program = goProgram('github.com/compose-spec/compose-go/v2/cmd', 'v2.16.2');
  if (program === undefined) {
    process.stdout.write('deploy/compose was not checked: its parser is built with Go 1.24 or newer\n');
    return process.env.CI === 'true' ? ['no Go was found'] : [];
  }
  const read = (file) => spawnSync(program, ['-format', 'json', file], { cwd: folder, encoding: 'utf8' });
  const { status, stdout, stderr } = read('compose.yaml');
  if (status !== 0) return [`compose.yaml: ${stderr.trim()}`];
  const { services } = JSON.parse(stdout);
  return [...serviceProblems(services), ...missedMistakes(read)];
}

/** What the parser leaves to the engine: services and files must exist. Nothing may listen to other machines: there are no passwords. */
function serviceProblems(services) {
  return Object.entries(services).flatMap(([name, { volumes = [], ports = [], depends_on: needs = {} }]) => [
    ...Object.keys(needs)
      .filter((other) => services[other] === undefined)
      .map((other) => `compose.yaml: ${name} depends on ${other}, which is no service`),
    ...volumes
      .filter(({ source }) => !existsSync(source))
      .map(({ source }) => `compose.yaml: ${name}: ${source} does not exist`),
    ...ports
      .filter(({ host_ip: address }) => address !== '127.0.0.1')
      .map(({ published }) => `compose.yaml: ${name}: port ${published} is open to other machines`),
  ]);
}

/** A parser that finds nothing would not be noticed otherwise. */
function missedMistakes(read) {
  const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');
  const home = mkdtempSync(join(tmpdir(), 'levada-compose-'));
  try {
    return mistakes.flatMap(({ text: right, mistake, says }) => {
      if (!text.includes(right)) throw new Error(`compose.yaml has no "${right}"`);
      const file = join(home, 'compose.yaml');
      writeFileSync(file, text.replaceAll(right, mistake));
      const { status, stderr } = read(file);
      return status !== 0 && says.test(stderr)
        ? []
        : [`"${mistake}" was not found: expected ${says}, got ${stderr.trim()}`];
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
