import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkWorkerGroup } from '../src/check-worker-group.ts';
import { checkWorkerConfig, issueText, loadWorkerConfig } from '../src/load-worker-config.ts';
import { runInProcess } from './worker-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'levada-check-config-'));
const occupied = join(folder, 'file');
writeFileSync(occupied, '');
afterAll(() => rmSync(folder, { recursive: true }));

const kafka = `
bootstrap.servers=127.0.0.1:1
listeners=http://127.0.0.1:0
group.id=g
config.storage.topic=c
offset.storage.topic=o
status.storage.topic=s
key.converter=StringConverter
value.converter=StringConverter
`;
const embedded = `
listeners=http://127.0.0.1:0
`;
const certificate = join(folder, 'no.pem');

describe('the checks of check-config', () => {
  it('looks for no group of a worker with embedded storage, and leaves its folder alone', async () => {
    const log = join(folder, 'log-of-none');
    const config = await loadWorkerConfig({ overrides: { 'embedded.storage.folder': log } });
    await expect(checkWorkerGroup(config, {})).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'a worker with embedded storage has no group',
    });
    expect(existsSync(log)).toBe(false);
  });

  it.each([
    ['a broker without a port', `${kafka}bootstrap.servers=localhost`, 'bootstrap.servers'],
    [
      'a SASL mechanism that is not there',
      `${kafka}security.protocol=SASL_PLAINTEXT\nsasl.mechanism=GSSAPI`,
      'sasl.mechanism',
    ],
    [
      'a trust store that is missing',
      `${kafka}security.protocol=SSL\nssl.truststore.location=${certificate}`,
      'ssl.truststore.location',
    ],
    [
      'a trust store of one kind of client that is missing',
      `${kafka}consumer.security.protocol=SSL\nconsumer.ssl.truststore.location=${certificate}`,
      'consumer.ssl.truststore.location',
    ],
    ['a producer key', `${kafka}producer.linger.ms=x`, 'producer.linger.ms'],
    ['a folder of plugins that is missing', `${embedded}plugin.path=${folder}/none`, 'plugin.path'],
    [
      'a folder that cannot be written',
      `${embedded}embedded.storage.folder=${occupied}/log`,
      'embedded.storage.folder',
    ],
    ['a wrong value', `${embedded}offset.flush.interval.ms=soon`, 'offset.flush.interval.ms'],
    ['a provider', `${embedded}config.providers=x\nconfig.providers.x.class=Y`, 'config.providers.x.class'],
  ])('reports the problems with which a worker refuses to start: %s', async (what, text, key) => {
    const file = join(folder, `${what.replaceAll(' ', '-')}.properties`);
    writeFileSync(file, text.trimStart());
    const { config, problems } = await checkWorkerConfig({ file });
    expect(config).toBeUndefined();
    expect(problems.map((problem) => problem.key)).toEqual([key]);
    const run = runInProcess({}, { file });
    expect(await run.code).toBe(2);
    expect(run.text()).toBe(
      [
        'The worker configuration is not valid:',
        ...problems.map((problem) => `  ${issueText(problem)}`),
        '',
      ].join('\n'),
    );
  });
});
