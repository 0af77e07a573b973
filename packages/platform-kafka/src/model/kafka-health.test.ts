import { ConnectorError } from '@levada/connect-runtime-core';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { KafkaHealth } from './kafka-health.ts';

const missing = new ConnectorError('topic_unavailable', 'no such topic');
const silent = new ConnectorError('connection_failed', 'no broker answers');

function reached() {
  const clock = createManualClock();
  const health = new KafkaHealth(clock, 'admin');
  health.noteReached('admin');
  return { clock, health, began: clock.now() };
}

describe('the health of a Kafka cluster', () => {
  it('the health is throttled from the first throttling until 11 seconds without any', async () => {
    const { clock, health, began } = reached();
    health.noteProducer('p');
    for (let i = 0; i < 3; i += 1) {
      health.noteThrottle('producer p', 500);
      await clock.advance(11_500);
      const reason = 'brokers throttle producer p because of a quota: they asked to wait 500 ms';
      expect(health.current()).toEqual({ status: 'throttled', since: began, reason });
    }
    await clock.advance(1);
    expect(health.current()).toEqual({ status: 'ok' });
    health.noteThrottle('producer p', 20);
    expect(health.current()).toMatchObject({ status: 'throttled', since: clock.now() });
    health.forget('producer p');
    expect(health.current()).toEqual({ status: 'ok' });
  });

  it('the health is partly throttled while some producer is not, since the first throttling', async () => {
    const { clock, health, began } = reached();
    for (const client of ['p', 'q']) health.noteProducer(client);
    health.noteThrottle('producer p', 500);
    await clock.advance(100);
    expect(health.current()).toMatchObject({ status: 'throttled', since: began, isPartial: true });
    health.noteThrottle('producer q', 500);
    expect(health.current()).toEqual({
      status: 'throttled',
      since: began,
      reason: expect.stringContaining('producer p'),
    });
    await clock.advance(11_450);
    expect(health.current()).toMatchObject({
      since: began + 100,
      reason: expect.stringContaining('producer q'),
      isPartial: true,
    });
    health.forget('producer p');
    expect(health.current()).not.toHaveProperty('isPartial');
  });

  it('the health of a producer does not include problems of others', () => {
    const { health } = reached();
    for (const client of ['p', 'q', 'r']) health.noteProducer(client);
    health.trouble('producer p', silent);
    health.noteThrottle('producer q', 500);
    health.topicTrouble('some', missing, { isPartial: true });
    const statuses = () => ['p', 'q', 'r'].map((client) => health.current(client).status);
    expect(statuses()).toEqual(['away', 'throttled', 'ok']);
    health.topicTrouble('configs', missing, { isPartial: false });
    expect(statuses()).toEqual(['away', 'away', 'away']);
    health.topicTrouble('configs', undefined, { isPartial: false });
    health.noteUnreachable('reader', silent);
    expect(statuses()).toEqual(['away', 'away', 'away']);
  });

  it('the health is away if no broker answers, and partly if a topic is missing, throttled or not', () => {
    const { health } = reached();
    health.noteThrottle('producer p', 500);
    health.trouble('producer p', missing);
    expect(health.current()).toMatchObject({ status: 'away', reason: 'no such topic', isPartial: true });
    health.noteUnreachable('reader', silent);
    expect(health.current()).toEqual({
      status: 'away',
      reason: 'no broker answers',
      since: expect.any(Number),
    });
  });

  it('the whole health is away if the worker cannot work without the topic', () => {
    const { health } = reached();
    health.topicTrouble('some', missing, { isPartial: true });
    health.topicTrouble('configs', missing, { isPartial: false });
    expect(health.current()).toEqual({ status: 'away', reason: 'no such topic', since: expect.any(Number) });
    health.topicTrouble('configs', undefined, { isPartial: false });
    expect(health.current()).toMatchObject({ status: 'away', isPartial: true });
  });
});
