import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const levada = fileURLToPath(new URL('../bin/levada.js', import.meta.url));
const main = new URL('../dist/main.js', import.meta.url).href;
const variables = { LOG_STREAM: 'broker', LOG_TOKENS: '1', OTHER: 'ä = "x"' };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-environment-'));
  const project = `project: {name: shop, version: 1.0.0}
runtime: {platform: {bootstrap_servers: "\${LOG_STREAM}:9092"}}
`;
  await writeFile(join(folder, 'stream_project.yml'), project);
});
afterAll(() => rm(folder, { recursive: true }));

async function node(...args: readonly string[]) {
  return promisify(execFile)(process.execPath, args, { env: { ...process.env, ...variables } });
}

describe.skipIf(process.platform === 'win32')(
  'the environment of levada project (not on Windows, where it stays as it is)',
  () => {
    // A variable that the project reads and that is not set would be an error
    it('has variables of the YAML library for projects alone', async () => {
      const { stdout } = await node(levada, 'project', 'compile', folder, '--dry-run', '--format', 'json');
      expect(JSON.parse(stdout)).toMatchObject({ project: { name: 'shop' } });
    });

    it('is inherited by programs, and is put back', async () => {
      const script = `
      import { execFileSync } from 'node:child_process';
      import { run } from ${JSON.stringify(main)};
      const before = process.env;
      const running = run(['project', 'validate', ${JSON.stringify(folder)}]);
      const changed = process.env !== before;
      const print = 'process.stdout.write(JSON.stringify(process.env))';
      const inherited = JSON.parse(execFileSync(process.execPath, ['-e', print], { encoding: 'utf8' }));
      await running;
      process.stderr.write(JSON.stringify({ changed, inherited, back: process.env === before }));`;
      const { stderr } = await node('--input-type=module', '--eval', script);
      const { LOG_STREAM: _stream, LOG_TOKENS: _tokens, ...others } = { ...process.env, ...variables };
      expect(JSON.parse(stderr)).toEqual({ changed: true, inherited: others, back: true });
    });
  },
);
