import { ConnectorError } from '@levada/connect-runtime-core';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { KafkaHealth } from './kafka-health.ts';

const missing = new ConnectorError('topic_unavailable', 'no such topic');
const silent = new ConnectorError('connection_failed', 'no broker answers');

function reached() {
  const clock = createManualClock();
  const health = new KafkaHealth(clock, 'admin');
  health.reached('admin');
  return { clock, health, began: clock.now() };
}

describe('the health of a Kafka cluster', () => {
  it('is throttled from the first wait that a broker asks for until none was asked for during 11 seconds', async () => {
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

  it('is throttled in part while some producer is not, since the first of those that are', async () => {
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

  it('is that of one producer without trouble of others', () => {
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
    health.unreachable('reader', silent);
    expect(statuses()).toEqual(['away', 'away', 'away']);
  });

  it('is away when no broker answers, and in part when some topic is missing, whether or not it is throttled', () => {
    const { health } = reached();
    health.noteThrottle('producer p', 500);
    health.trouble('producer p', missing);
    expect(health.current()).toMatchObject({ status: 'away', reason: 'no such topic', isPartial: true });
    health.unreachable('reader', silent);
    expect(health.current()).toEqual({
      status: 'away',
      reason: 'no broker answers',
      since: expect.any(Number),
    });
  });

  it('is away as a whole when the worker can do nothing without the topic', () => {
    const { health } = reached();
    health.topicTrouble('some', missing, { isPartial: true });
    health.topicTrouble('configs', missing, { isPartial: false });
    expect(health.current()).toEqual({ status: 'away', reason: 'no such topic', since: expect.any(Number) });
    health.topicTrouble('configs', undefined, { isPartial: false });
    expect(health.current()).toMatchObject({ status: 'away', isPartial: true });
  });
});
