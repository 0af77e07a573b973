import { describe, expect, it } from 'vitest';
import { topicTexts } from '../worker-child.ts';
import { numberedMessages } from './numbered-feed.ts';
import { stage, webSocketConfig } from './stage.ts';
import { startWorkerProcess } from './worker-process.ts';

const { newFolder, newFeed } = stage();

const QUEUE = 10_000;
/** The worker's name stays the same over restarts, although its port does not. */
const named = { 'rest.advertised.host.name': 'worker.example', 'rest.advertised.port': '8083' };

describe('a worker that is killed and started again', () => {
  it('keeps every acknowledged message over a kill, loses no more than was queued, and restores connectors', async () => {
    const folder = await newFolder();
    const feed = await newFeed();
    const idle = await newFeed();
    const first = await startWorkerProcess(folder, named);
    for (const name of ['paused', 'stopped']) {
      await first.call('PUT', `/connectors/${name}/config`, webSocketConfig(idle));
      await first.untilState(name, 'RUNNING');
    }
    await first.call('PUT', '/connectors/paused/pause');
    await first.call('PUT', '/connectors/stopped/stop');
    await first.untilState('paused', 'PAUSED');
    await first.call('PUT', '/connectors/feed/config', webSocketConfig(feed));
    await feed.connection(1);
    feed.sendSteadily(5000);
    const before = await first.untilAttribute('feed', 'RecordsProduced', (n) => n > 3000);
    expect(await first.end('SIGKILL')).toBe('SIGKILL');
    const sent = feed.sent;
    const kept = await topicTexts(folder, 'messages');
    expect(kept.length).toBeGreaterThanOrEqual(before['RecordsProduced'] as number);
    expect(kept).toEqual(numberedMessages(kept.length));
    expect(sent - kept.length).toBeLessThan(QUEUE);

    const second = await startWorkerProcess(folder, named);
    await feed.connection(2);
    await second.untilState('feed', 'RUNNING');
    await second.untilState('paused', 'PAUSED');
    expect((await second.call('GET', '/connectors/stopped/status')).json).toMatchObject({
      connector: { state: 'STOPPED' },
      tasks: [],
    });
    expect(second.logged('previous_session_unclean')).toMatchObject([{ level: 'warn', tasks: ['feed-0'] }]);
    await second.untilAttribute('feed', 'RecordsProduced', (n) => n > 1000);
    expect(await second.end('SIGTERM')).toBe(0);
    const numbers = (await topicTexts(folder, 'messages')).map((text) => JSON.parse(text).n as number);
    // Messages in flight at the kill are one gap; everything before and after it is stored once.
    const holes = numbers.flatMap((n, i) => (n === (numbers[i - 1] ?? -1) + 1 ? [] : [i]));
    expect(holes.filter((i) => i !== kept.length)).toEqual([]);
    expect(idle.connections.map(({ closed }) => closed?.code)).toEqual([1001, 1001]);
  });
});
