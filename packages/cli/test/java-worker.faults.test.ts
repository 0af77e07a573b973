import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTopic, createTopic, type JavaWorker, startJavaWorker, writeTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ProjectFiles, projectFolder } from './project-folder.ts';
import { runCommand } from './run-command.ts';

describeWithSharedBroker('levada with a worker of Kafka Connect', { version: '3.9.1' }, (broker) => {
  let worker: JavaWorker;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'levada-cli-java-'));
    const json = 'org.apache.kafka.connect.storage.StringConverter';
    worker = await startJavaWorker(broker(), {
      'group.id': 'cli',
      'config.storage.topic': 'cli-configs',
      'offset.storage.topic': 'cli-offsets',
      'status.storage.topic': 'cli-statuses',
      'config.storage.replication.factor': '1',
      'offset.storage.replication.factor': '1',
      'status.storage.replication.factor': '1',
      'offset.flush.interval.ms': '200',
      'key.converter': json,
      'value.converter': json,
    });
  });
  afterAll(async () => {
    await worker?.stop();
    await rm(folder, { recursive: true });
  });

  const levada = (...args: string[]) => runCommand([...args, '--url', worker.url], { cwd: folder });

  it('creates, changes, pauses, stops, restarts and deletes connectors, and changes their offsets', async () => {
    await writeFile(join(folder, 'input.txt'), 'a\nb\nc\n');
    const config = {
      'connector.class': 'org.apache.kafka.connect.file.FileStreamSourceConnector',
      'tasks.max': 1,
      file: join(folder, 'input.txt'),
      topic: 'cli-lines',
      'some.password': 'hush-hush',
    };
    await writeFile(join(folder, 'lines.json'), JSON.stringify({ name: 'lines', config }));
    const files = ['-f', 'lines.json'];

    expect(await levada('connector', 'diff', ...files)).toMatchObject({ code: 3 });
    const created = await levada('connector', 'create', ...files);
    expect(created).toMatchObject({ code: 0 });
    expect(created.out).toMatch(/^lines +created +RUNNING +1\/1$/m);
    expect(await levada('connector', 'create', ...files)).toMatchObject({ code: 1 });
    expect(await levada('connector', 'diff', ...files)).toMatchObject({ code: 0 });
    expect((await levada('connector', 'apply', ...files)).out).toMatch(/^lines +unchanged +RUNNING +1\/1$/m);

    await writeFile(
      join(folder, 'lines.json'),
      JSON.stringify({ name: 'lines', config: { ...config, 'batch.size': 100, 'some.password': 'other' } }),
    );
    const diff = await levada('connector', 'diff', ...files);
    expect(diff.out).toBe('lines: update\n  + batch.size: 100\n  ~ some.password: ******** (differs)\n');
    const applied = await levada('connector', 'apply', ...files);
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.out).toMatch(/^lines +updated +RUNNING +1\/1 +batch\.size, some\.password$/m);
    const set = await levada('connector', 'set', 'lines', 'batch.size=50', '--unset', 'some.password');
    expect(set.out).toMatch(/^lines +updated +RUNNING +1\/1 +batch\.size, some\.password$/m);
    expect((await levada('connector', 'validate', ...files)).out).toMatch(/^lines +lines\.json +valid$/m);

    const top = async () => (await levada('top')).out;
    await expect.poll(top, { timeout: 20_000 }).toMatch(/^lines +RUNNING +1\/1 +- +- +- +- +-$/m);
    const logs = await levada('logs', 'lines');
    expect([logs.code, logs.err]).toEqual([1, expect.stringContaining('offers no log lines')]);
    const tap = await levada('tap', 'lines');
    expect([tap.code, tap.err]).toEqual([1, expect.stringContaining('it writes to cli-lines')]);
    const doctor = await levada('doctor');
    expect(doctor.code).toBe(0);
    expect(doctor.out).toMatch(/^✓ worker: .* answers: Kafka Connect 3\.9\.1$/m);
    expect(doctor.out).toMatch(/^✓ lines: RUNNING$/m);

    expect((await levada('connector', 'pause', 'lines')).out).toMatch(/^lines +paused +PAUSED +0\/1$/m);
    expect((await levada('connector', 'resume', 'li*')).out).toMatch(/^lines +resumed +RUNNING +1\/1$/m);
    const nothing = await levada('connector', 'restart', 'lines');
    expect(nothing).toMatchObject({ code: 0 });
    expect(nothing.err).toContain('--all restarts everything');
    expect((await levada('connector', 'restart', 'lines', '--all')).out).toMatch(
      /^lines +restarted +RUNNING +1\/1$/m,
    );
    expect((await levada('connector', 'restart', 'lines', '--task', '0')).code).toBe(0);

    await appendFile(join(folder, 'input.txt'), 'd\n');
    const partition = JSON.stringify({ filename: config.file });
    const alter = ['connector', 'offsets', 'alter', 'lines', '--partition', partition];
    const refused = await levada(...alter, '--offset', '{"position":2}');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain('levada connector stop lines');
    expect((await levada('connector', 'stop', 'lines')).out).toMatch(/^lines +stopped +STOPPED +0\/0$/m);
    expect((await levada(...alter, '--offset', '{"position":2}')).code).toBe(0);
    // The worker answers with what it has read back of its topic by then
    const offsets = () => levada('connector', 'offsets', 'get', 'lines');
    await expect.poll(async () => (await offsets()).out, { timeout: 20_000 }).toContain('{"position":2}');
    expect((await levada('connector', 'offsets', 'reset', 'lines')).code).toBe(0);
    await expect.poll(async () => (await offsets()).err, { timeout: 20_000 }).toBe('no offsets\n');

    expect((await levada('get', 'connectors')).out).toMatch(/^lines +source +STOPPED/m);
    expect((await levada('connector', 'delete', 'lines')).out).toMatch(/^lines +deleted$/m);
    expect((await levada('get', 'connectors')).err).toBe('no connectors\n');
    expect(await countTopic(broker(), 'cli-lines')).toBeGreaterThanOrEqual(3);
  }, 180_000);

  it('takes the connector of a compiled sink, whose masks it applies', async () => {
    const target = join(folder, 'masked.txt');
    const files = await projectFolder(maskedSink(target));
    await createTopic(broker(), 'cli-masked');
    const compiled = await runCommand(['project', 'compile', '--out', folder], { cwd: files });
    expect([compiled.code, compiled.err]).toEqual([0, '']);
    const sink = ['-f', 'connectors/masked.json'];
    expect((await levada('connector', 'validate', ...sink)).out).toMatch(/^masked +\S+ +valid$/m);
    expect((await levada('connector', 'create', ...sink)).out).toMatch(/^masked +created +RUNNING +1\/1$/m);
    const row = '{"id":1,"email":"a@b.c","card":"4111"}';
    await writeTopic(broker(), 'cli-masked', [{ value: row }, { value: null }]);
    await expect
      .poll(() => readFile(target, 'utf8').catch(() => ''), { timeout: 60_000 })
      .toBe('{email=***, id=1}\nnull\n');
    expect((await levada('connector', 'delete', 'masked')).code).toBe(0);
  }, 180_000);
});

/** A project whose sink writes a topic to a file. */
function maskedSink(file: string): ProjectFiles {
  return {
    'stream_project.yml': `project: { name: masked }
runtime:
  platform: { bootstrap_servers: localhost:9092 }
  connect: { clusters: { local: { rest_url: http://localhost:8083 } } }
sources:
  - name: people
    topic: cli-masked
    columns: [{ name: id, type: BIGINT }, { name: email, type: STRING }, { name: card, type: STRING }]
models:
  - name: masked
    from: [{ source: people }]
    security:
      policies:
        - mask: { column: email, method: redact }
        - mask: { column: card, method: "null" }
    sink:
      connector: org.apache.kafka.connect.file.FileStreamSinkConnector
      config:
        file: ${file}
        value.converter: org.apache.kafka.connect.json.JsonConverter
        value.converter.schemas.enable: false
`,
  };
}
