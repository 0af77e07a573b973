import { createHmac } from 'node:crypto';
import type { GroupWork } from '@levada/connect-runtime-core/platform';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { RequestSignature, WorkerRequest } from '../src/port/connect-runtime.ts';
import { elsewhere, member, open, stopAll, work } from './group-member.ts';
import { configOf } from './runtime-harness.ts';

afterEach(stopAll);

/** The signature of an empty body. */
function signed(key: string, algorithm = 'HmacSHA256'): RequestSignature {
  return { algorithm, signature: createHmac('sha256', Buffer.from(key, 'base64')).digest() };
}

describe('requests to a member of a group', () => {
  it('leaves all changes to the leader, and restarts to the owner', async () => {
    const { assign, herder, running } = await member();
    await running('a');
    const refused = (target: string | undefined) => ({ kind: 'elsewhere', target });
    await assign({ ...elsewhere, generation: 2, work: work(['a'], ['a-0']) });
    const { leaderUrl } = elsewhere;
    await expect(herder.create('b', configOf('b'))).rejects.toMatchObject(refused(leaderUrl));
    await expect(herder.putConfig('a', configOf('a'))).rejects.toMatchObject(refused(leaderUrl));
    await expect(herder.delete('a')).rejects.toMatchObject(refused(leaderUrl));
    await expect(herder.setTargetState('a', 'PAUSED')).rejects.toMatchObject(refused(leaderUrl));
    await expect(herder.resetOffsets('a')).rejects.toMatchObject(refused(leaderUrl));
    await herder.restartTask('a', 0);
    await assign({ ...elsewhere, generation: 3, work: work([], []) });
    await expect(herder.restartTask('a', 0)).rejects.toMatchObject(refused(leaderUrl));
    const members = [{ url: 'http://owner:8083/', work: work(['a'], ['a-0']), stopping: work([], []) }];
    await assign({ generation: 4, work: work([], []), members });
    await expect(herder.restartTask('a', 0)).rejects.toMatchObject(refused('http://owner:8083/'));
    const request = { includeTasks: false, onlyFailed: false };
    await expect(herder.restart('a', request)).rejects.toMatchObject(refused('http://owner:8083/'));
  });

  it('changes offsets only when no other worker may still run a task of the connector', async () => {
    const { assign, herder, running, states, clock } = await member();
    await running('a');
    const url = 'http://owner:8083/';
    const none = work([], []);
    const given = (tasks: GroupWork, stopping: GroupWork) => ({
      work: work(['a'], []),
      members: [{ url, work: tasks, stopping }],
    });
    const stale = {
      kind: 'conflict',
      message:
        'Cannot complete request momentarily due to stale configuration (typically caused by a concurrent config change)',
    };
    const remote = work([], ['a-0']);
    await assign({ generation: 2, ...given(remote, none) });
    await herder.setTargetState('a', 'STOPPED');
    await clock.advance(1_000);
    await expect(herder.resetOffsets('a')).rejects.toMatchObject(stale);
    await assign({ generation: 3, ...given(none, remote) });
    await expect(herder.resetOffsets('a')).rejects.toMatchObject(stale);
    await assign({ generation: 4, ...given(none, none) });
    await states('a', 'STOPPED');
    expect(await herder.resetOffsets('a')).toContain('have been reset');
  });

  it('answers with a conflict when nothing was assigned yet of what is to be restarted', async () => {
    const { assign, herder, running } = await member();
    await running('a');
    await assign({ generation: 2, work: work([], []) });
    await expect(herder.restartTask('a', 0)).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('sends the task configurations that its connector made to the leader, signed', async () => {
    const requests: WorkerRequest[] = [];
    const { assign, herder, log, configured } = await member({
      callWorker: async (request) => {
        requests.push(request);
      },
    });
    await assign({ generation: 2, work: work([], []) });
    await herder.create('a', configOf('a'));
    await waitFor(() => log.values('connect-configs').some((value) => value?.includes('HmacSHA256')));
    await assign({ ...elsewhere, generation: 3, work: work(['a'], []) });
    await waitFor(() => requests.length > 0);
    expect(requests[0]).toMatchObject({
      method: 'POST',
      baseUrl: elsewhere.leaderUrl,
      path: ['connectors', 'a', 'tasks'],
      signature: { algorithm: 'HmacSHA256' },
    });
    const { body, signature } = requests[0] as WorkerRequest;
    await assign({ generation: 4, work: work([], []) });
    const bytes = new TextEncoder().encode(body);
    const refusal = (message: string, kind: string) => expect.objectContaining({ message, kind });
    let parsed = 0;
    const putTasks = (given: RequestSignature | undefined) =>
      herder.putTasks(
        'a',
        bytes,
        () => {
          parsed += 1;
          return JSON.parse(body);
        },
        given,
      );
    await expect(putTasks(undefined)).rejects.toEqual(
      refusal('Internal request missing required signature', 'bad_request'),
    );
    const wrong = { algorithm: 'HmacSHA256', signature: new Uint8Array(32) };
    await expect(putTasks(wrong)).rejects.toEqual(
      refusal('Internal request contained invalid signature.', 'forbidden'),
    );
    await expect(putTasks({ algorithm: 'HmacMD5', signature: new Uint8Array(16) })).rejects.toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining("'HmacMD5'"),
    });
    expect(parsed).toBe(0);
    await putTasks(signature);
    expect(configured().tasks.has('a-0')).toBe(true);
  });

  it('signs with the key that the leader distributes, and accepts no request of an older or expired one', async () => {
    const { assign, herder, log, clock, running, group } = await member();
    await running('a');
    const body = new Uint8Array();
    const fence = (signature?: RequestSignature) => herder.fence('a', body, signature);
    const missing = { kind: 'bad_request', message: 'Internal request missing required signature' };
    const forbidden = { kind: 'forbidden', message: 'Internal request contained invalid signature.' };
    await expect(fence()).rejects.toMatchObject(missing);
    await expect(fence(signed('key', 'NoSuch'))).rejects.toMatchObject({
      kind: 'bad_request',
      message: 'Algorithm NoSuch not available',
    });
    await expect(fence(signed('key'))).rejects.toMatchObject(forbidden);
    await assign({ ...elsewhere, generation: 2, work: work([], []) });
    await expect(fence(signed('key'))).rejects.toMatchObject({
      kind: 'unavailable',
      message:
        'This worker is still starting up and has not been able to read a session key from the config topic yet',
    });
    await assign({ generation: 2, work: work([], []) });
    const keys = () => log.values('connect-configs').filter((value) => value?.includes('creation-timestamp'));
    await waitFor(() => keys().length === 1);
    const keyOf = (text: string | null | undefined): string => JSON.parse(text ?? '').key;
    const first = keyOf(keys()[0]);
    const accepts = (key: string): Promise<unknown> =>
      waitFor(() =>
        fence(signed(key)).then(
          () => true,
          () => false,
        ),
      );
    await accepts(first);
    await expect(fence(signed('wrong'))).rejects.toMatchObject(forbidden);
    await clock.advance(3_600_000);
    await waitFor(() => keys().length === 2);
    const second = keyOf(keys()[1]);
    await accepts(second);
    await expect(fence(signed(first))).rejects.toMatchObject(forbidden);
    await assign({ ...elsewhere, generation: 3, work: work([], []) });
    await expect(fence()).rejects.toMatchObject(missing);
    await expect(fence(signed(second))).rejects.toMatchObject({
      kind: 'elsewhere',
      target: elsewhere.leaderUrl,
    });
    group.confirmed = true;
    await assign({ generation: 4, work: work([], []) });
    await accepts(second);
    await assign({ generation: 5 });
    await expect(fence(signed(second))).rejects.toMatchObject(forbidden);
    await assign({ generation: 6, work: work([], []) });
    await clock.advance(3_600_000);
    await expect(fence(signed(second))).rejects.toMatchObject(forbidden);
  });

  it('replaces a key at once that is read after it has expired, and ignores one without any bytes', async () => {
    const { assign, log } = await member();
    await assign({ generation: 2, work: work([], []) });
    const keys = () => log.values('connect-configs').filter((value) => value?.includes('creation-timestamp'));
    await waitFor(() => keys().length === 1);
    const configs = await log.connect().compactedLog({
      topic: { name: 'connect-configs', partitions: 1 },
      configKey: 'config.storage.topic',
      clientId: 'other',
      onRecord: () => undefined,
    });
    const write = (key: string) => {
      const value = { key, algorithm: 'HmacSHA256', 'creation-timestamp': 0 };
      return configs.put(Buffer.from('session-key'), Buffer.from(JSON.stringify(value)));
    };
    await write('');
    await write('bGF0ZQ==');
    await waitFor(() => keys().length > 3);
    expect(keys()).toHaveLength(4);
    expect(JSON.parse(keys().at(-1) ?? '')).not.toMatchObject({ 'creation-timestamp': 0 });
  });

  it('fences earlier tasks, unless one follows one or that was done, and keeps the number of tasks', async () => {
    const { assign, herder, log, running, source } = await member();
    await running('a');
    await assign({ generation: 2, signed: false });
    const fence = () => herder.fence('a', new Uint8Array(), undefined);
    const counts = () => log.values('connect-configs').filter((value) => value?.includes('task-count'));
    const earlier = await log
      .connect()
      .transactions?.producer(
        { clientId: 'earlier', transactionalId: 'g-a-0' },
        new AbortController().signal,
      );
    await fence();
    await fence();
    expect(counts()).toEqual(['{"task-count":1}']);
    await earlier?.commit();
    source.script.taskConfigs = (raw) => [raw, raw];
    await herder.patchConfig('a', { 'tasks.max': '2' });
    await waitFor(async () => (await herder.tasks('a')).length === 2);
    await fence();
    expect(counts()).toEqual(['{"task-count":1}', '{"task-count":2}']);
    await expect(earlier?.commit()).rejects.toMatchObject({ code: 'fenced' });
    await expect(herder.fence('none', new Uint8Array(), undefined)).rejects.toMatchObject({
      kind: 'not_found',
      message: 'Connector none not found',
    });
  });

  it('fences in parts, however many tasks a record names, until the time for it is over', async () => {
    const { assign, herder, running, options, advanceUntil } = await member();
    await running('a');
    await assign({ generation: 2, signed: false });
    const configs = await options.platform.compactedLog({
      topic: { ...options.configTopic, partitions: 1 },
      configKey: 'config.storage.topic',
      clientId: 'other',
      onRecord: () => undefined,
    });
    await configs.put(Buffer.from('tasks-fencing-a'), Buffer.from('{"task-count":1099511627776}'));
    await configs.close();
    await herder.putConfig('a', configOf('a', { topic: 'other' }));
    await waitFor(async () => (await herder.tasks('a'))[0]?.config['topic'] === 'other');
    const fencing = advanceUntil(herder.fence('a', new Uint8Array(), undefined));
    await expect(fencing).rejects.toThrow('currently fencing earlier tasks of connector a');
    expect((await herder.status('a')).tasks).toMatchObject([{ state: 'RUNNING' }]);
  });

  it('sets the level of a logger on every worker, but not from records that were there before', async () => {
    const levels: string[] = [];
    const onLoggerLevel = (logger: string, level: string): void => void levels.push(`${logger} ${level}`);
    const { herder, log, again } = await member({ onLoggerLevel });
    await herder.setLoggerLevel('org.apache.kafka', 'DEBUG');
    expect(levels).toEqual(['org.apache.kafka DEBUG']);
    expect(log.values('connect-configs').at(-1)).toBe('{"level":"DEBUG"}');
    const other = again({ platform: log.connect(), workerId: 'other:8083' });
    open.push(other);
    await other.runtime.start();
    expect(levels).toHaveLength(1);
    await other.herder.setLoggerLevel('root', 'WARN');
    await waitFor(() => levels.length === 3);
    expect(levels.slice(1)).toEqual(['root WARN', 'root WARN']);
  });
});
