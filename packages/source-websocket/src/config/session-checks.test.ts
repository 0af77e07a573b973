import { describe, expect, it } from 'vitest';
import { webSocketConfig } from './config.ts';
import { configProblems } from './config-checks.ts';
import { sessionPlan } from './session-plan.ts';

const parsed = (raw: Readonly<Record<string, string | null>>) =>
  webSocketConfig.parse({ 'websocket.url': 'ws://h', 'platform.topic': 't', ...raw });

describe('rules over the keys of a session', () => {
  it.each([
    ['handshake.1.reject.match', 'x', 'handshake.1.reply.match'],
    ['handshake.2.timeout.ms', '5', 'handshake.2.reply.match'],
    ['control.3.reply', 'x', 'control.3.match'],
    ['control.3.reconnect', 'true', 'control.3.match'],
    ['heartbeat.reply.match', 'x', 'heartbeat.message'],
    ['renewal.message', 'x', 'renewal.interval.ms or websocket.renewal.expires.pointer'],
    ['sequence.replay.message', 'x', 'sequence.pointer'],
  ])('%s needs %3$s', (key, value, needed) => {
    const problems = configProblems(parsed({ [`websocket.${key}`]: value }));
    expect(problems).toEqual([
      { key: `websocket.${key}`, message: `websocket.${needed} is required with websocket.${key}` },
    ]);
  });

  const never = { 'websocket.reconnect.enabled': 'false' };
  it.each([
    [
      { 'websocket.renewal.interval.ms': '5000', ...never },
      'websocket.renewal.message or websocket.reconnect.enabled is required with websocket.renewal.interval.ms',
    ],
    [
      { 'websocket.renewal.expires.pointer': '/e' },
      'websocket.handshake.1.reply.match or websocket.renewal.reply.match is required with websocket.renewal.expires.pointer',
    ],
  ])('refuse what could never happen: %j', (raw, message) => {
    expect(configProblems(parsed(raw)).map((problem) => problem.message)).toEqual([message]);
  });

  it.each([
    [{ 'websocket.control.3.match': 'x', 'websocket.control.3.reconnect': 'true', ...never }],
    [{ 'websocket.renewal.interval.ms': '5000', 'websocket.renewal.message': 'x', ...never }],
    [{ 'websocket.handshake.2.reply.match': 'x', 'websocket.renewal.expires.pointer': '/e' }],
  ])('accept what can: %j', (raw) => {
    expect(configProblems(parsed(raw))).toEqual([]);
  });

  it('name a placeholder that a message cannot have, and those that it can', () => {
    const raw = {
      'websocket.secret.key': 'hidden words',
      'websocket.handshake.1.reply.match': 'a',
      'websocket.handshake.2.message': '{{reply.2:/a}}',
      'websocket.handshake.2.reply.match': 'b',
      'websocket.heartbeat.message': '{{reply.2:/a}} {{reply:/b}} {{secret:key}} {{time.s}}',
      'websocket.sequence.pointer': '/s',
      'websocket.sequence.key.pointer': '/k',
      'websocket.sequence.replay.message': '{{from}} {{to}} {{last}} {{key}} {{message:/a}}',
    };
    const messages = configProblems(parsed(raw)).map(({ message }) => message);
    expect(messages).toEqual([
      'Invalid value [hidden] for configuration websocket.handshake.2.message: cannot hold {{reply.2:/a}}, only {{secret:key}}, {{reply:/json/pointer}}, {{reply.1:/json/pointer}}, {{time.ms}}, {{time.s}}, {{count}}',
      'Invalid value [hidden] for configuration websocket.sequence.replay.message: cannot hold {{message:/a}}, only {{secret:key}}, {{reply:/json/pointer}}, {{reply.1:/json/pointer}}, {{reply.2:/json/pointer}}, {{last}}, {{from}}, {{to}}, {{key}}, {{time.ms}}, {{time.s}}, {{count}}',
    ]);
  });

  it('refuse a placeholder in the subscription, which is sent as it is written', () => {
    const key = 'websocket.subscription.message';
    expect(configProblems(parsed({ [key]: '{"key":"{{secret:key}}"}' }))).toEqual([
      {
        key,
        message: `Invalid value [hidden] for configuration ${key}: cannot hold {{secret:key}}, which belongs to a message of the handshake`,
      },
    ]);
    expect(configProblems(parsed({ [key]: '{{channel}} {{message:/a}}' }))).toEqual([]);
  });

  it('offer {{key}} only where numbers belong to one', () => {
    const raw = { 'websocket.sequence.pointer': '/s', 'websocket.sequence.replay.message': '{{key}}' };
    expect(configProblems(parsed(raw)).map(({ message }) => message)).toEqual([
      expect.stringContaining('cannot hold {{key}}, only {{last}}, {{from}}, {{to}}, {{time.ms}}'),
    ]);
  });

  it('refuse an empty secret, which is most often a variable that was not set', () => {
    expect(() => parsed({ 'websocket.secret.key': '' })).toThrow(
      'Invalid value [hidden] for configuration websocket.secret.key: Secret must be non-empty',
    );
  });

  it('refuse to resume where there is no single last number', () => {
    const raw = {
      'websocket.sequence.pointer': '/s',
      'websocket.sequence.key.pointer': '/k',
      'websocket.sequence.resume.message': '{{last}}',
    };
    expect(configProblems(parsed(raw)).map(({ key }) => key)).toEqual(['websocket.sequence.resume.message']);
  });
});

describe('the plan of a session', () => {
  it('is none without any of its keys, or with keys that have no value', () => {
    expect(sessionPlan(parsed({ 'websocket.secret.key': 'x' }))).toBeUndefined();
    const empty = { 'websocket.control.1.match': null, 'websocket.handshake.1.message': null };
    expect(sessionPlan(parsed(empty))).toBeUndefined();
  });

  it('has the steps in the order of their numbers', () => {
    const raw = { 'websocket.handshake.10.message': 'b', 'websocket.handshake.9.reply.match': 'a' };
    expect(sessionPlan(parsed(raw))?.steps.map(({ number }) => number)).toEqual([9, 10]);
  });
});
