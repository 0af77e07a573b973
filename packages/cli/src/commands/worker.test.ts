import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/run-command.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function check(text: string, env: Readonly<Record<string, string>> = {}) {
  const file = join(folder, 'worker.properties');
  await writeFile(file, text);
  return runCommand(['worker', 'check-config', file], { env });
}

describe('levada worker check-config', () => {
  it('says of a valid file what it would start', async () => {
    const { code, out, err } = await check(`embedded.storage.folder=${folder}/log\n`);
    expect(code).toBe(0);
    expect(out).toMatch(/worker\.properties is valid: embedded storage, group levada\n$/);
    expect(err).toBe(
      '  not checked: whether another process uses the folder of the log, whether the ports are free, and the packages in plugin.path\n',
    );
    expect(await readdir(folder)).toEqual(['worker.properties']);
  });

  it('prints one line for each wrong value, with the line of the file', async () => {
    const { code, err } = await check(
      '# worker\noffset.flush.interval.ms=soon\n\nlisteners=ftp://x\nlistners=http://127.0.0.1:0\n',
      { CONNECT_REST_ADVERTISED_PORT: '0' },
    );
    expect(code).toBe(1);
    const file = join(folder, 'worker.properties');
    expect(err.split('\n')).toEqual([
      `levada: 4 problems in ${file}`,
      `  ${file}:2 offset.flush.interval.ms: Invalid value soon: Not a number of type LONG`,
      `  ${file}:4 listeners: Invalid value ftp://x: Expected http://host:port or https://host:port`,
      '  CONNECT_REST_ADVERTISED_PORT rest.advertised.port: Invalid value 0: Value must be at least 1',
      `  ${file}:5 listners: is not a worker key, did you mean listeners?`,
      '',
    ]);
  });

  it('names the file in which a required key is missing', async () => {
    const { err } = await check('bootstrap.servers=127.0.0.1:9092\n');
    expect(err).toContain(
      `  ${join(folder, 'worker.properties')} group.id: Missing required configuration "group.id" which has no default value.`,
    );
  });

  it('takes a key of Kafka Connect without effect for no problem, and says why it has none', async () => {
    const { code, err } = await check('metric.reporters=a.B\nplugin.discovery=only_scan\n');
    expect(code).toBe(0);
    expect(err).toContain(':1 metric.reporters: metrics are served at /metrics (no effect here)');
    expect(err).toContain(':2 plugin.discovery: plugins are found by their package.json');
  });

  it('warns of a repeated key, of which the last value counts', async () => {
    const { code, out, err } = await check('group.id=a\ngroup.id=b\n');
    expect(code).toBe(0);
    expect(out).toContain('group b');
    const file = join(folder, 'worker.properties');
    expect(err).toContain(`  ${file}:2 group.id: overrides the value at ${file}:1 (warning)`);
  });

  it('warns of a slip in a key for the Kafka clients', async () => {
    const { err } = await check('bootstrap.servers=127.0.0.1:9092\nssl.truststore.locaton=/ca.pem\n');
    expect(err).toContain(
      ':2 ssl.truststore.locaton: has no effect on the Kafka clients of this worker, did you mean ssl.truststore.location? (warning)',
    );
  });

  it('prints no secret, whether it is written or referred to', async () => {
    await writeFile(join(folder, 'secrets.properties'), 'servers=Canary-1\n');
    const { code, err } = await check(
      [
        'config.providers=file',
        'config.providers.file.class=file',
        `config.providers.file.param.allowed.paths=${folder}`,
        `bootstrap.servers=\${file:${folder}/secrets.properties:servers}`,
        'listeners=http://user:Canary-2@127.0.0.1:0',
        'sasl.jaas.config=Canary-3',
        'security.protocol=SASL_SSL',
        'sasl.mechanism=PLAIN',
        'ssl.keystore.password=Canary-4',
        'some.password=Canary-5',
      ].join('\n'),
    );
    expect(code).toBe(1);
    for (const key of ['bootstrap.servers', 'listeners', 'sasl.jaas.config', 'some.password'])
      expect(err).toContain(` ${key}: `);
    expect(err).not.toContain('Canary');
  });

  it('names a file that cannot be read', async () => {
    const { code, err } = await runCommand(['worker', 'check-config', join(folder, 'missing.properties')]);
    expect(code).toBe(1);
    expect(err).toContain('missing.properties');
  });
});
