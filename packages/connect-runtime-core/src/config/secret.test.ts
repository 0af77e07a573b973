import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secret } from './secret.ts';

describe('Secret', () => {
  const secret = new Secret('hunter2');

  it('shows itself to who asks', () => {
    expect(secret.reveal()).toBe('hunter2');
  });

  it.each<[string, () => string]>([
    ['as text', () => String(secret)],
    ['joined to text', () => ['token', secret].join(' ')],
    ['in JSON', () => JSON.stringify({ secret, list: [secret] })],
    ['inspected', () => inspect({ secret }, { showHidden: true, depth: 9 })],
    ['copied into an object', () => JSON.stringify(Object.assign({}, secret))],
    ['listed by its properties', () => JSON.stringify(Object.getOwnPropertyNames(secret))],
    ['in the message of an error', () => new Error(`bad token ${String(secret)}`).stack ?? ''],
  ])('does not show itself %s', (_, print) => {
    expect(print()).not.toContain('hunter2');
  });
});
