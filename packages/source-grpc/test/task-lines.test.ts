import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes } from '@levada/test-peers/grpc';
import { describe, expect, it } from 'vitest';
import { feed, fieldsOf } from './feed.ts';

const message = eventBytes({ payload: 'm' });

describe('the lines of a task', () => {
  it('begin with what it is about to do, and end with where it stopped', async () => {
    const running = await feed((call) => call.send(message, message), { clock: createManualClock() });
    await running.take(2);
    await running.task.stop();
    const session_id = fieldsOf(running, 'session_initialized')[0]?.['session_id'];
    const events = running.logger.lines.map(({ level, fields }) => [level, fields['event']]);
    expect(events).toEqual([
      ['info', 'no_previous_offset'],
      ['info', 'task_starting'],
      ['info', 'task_started'],
      ['info', 'streaming_started'],
      ['info', 'session_initialized'],
      ['info', 'task_stopping'],
      ['info', 'task_metrics'],
      ['info', 'connection_closed'],
      ['info', 'task_stopped'],
    ]);
    expect(fieldsOf(running, 'task_starting')[0]).toMatchObject({
      connector_name: 'feed',
      grpc_server: `127.0.0.1:${running.server.port}`,
      grpc_method: 'teststream.TestStreamService/StreamEvents',
      platform_topic: 'events',
    });
    expect(fieldsOf(running, 'task_started')[0]).toMatchObject({
      starting_sequence: 1,
      queue_capacity: 10_000,
    });
    expect(fieldsOf(running, 'streaming_started')[0]).toMatchObject({
      service: 'teststream.TestStreamService',
      method: 'StreamEvents',
      server: `127.0.0.1:${running.server.port}`,
    });
    expect(fieldsOf(running, 'task_stopping')[0]).toMatchObject({ session_id, queue_size: 0 });
    expect(fieldsOf(running, 'task_stopped')[0]).toMatchObject({
      session_id,
      final_sequence: 2,
      queue_size: 0,
    });
  });

  it('warn once when the queue is more than 80 percent full', async () => {
    const raw = { 'grpc.message.queue.size': '10' };
    const running = await feed((call) => call.send(...Array(10).fill(message)), { raw });
    await waitFor(() => running.metrics.read('MessagesReceived') === 10);
    await running.logged('queue_high_utilization');
    const [line, ...others] = running.logger.withEvent('queue_high_utilization');
    expect(others).toEqual([]);
    expect(line).toMatchObject({ level: 'warn', fields: { queue_capacity: 10 } });
    expect(line?.fields['utilization_percent']).toBeGreaterThan(80);
    expect(running.logger.withEvent('queue_full')).toHaveLength(0);
  });
});
