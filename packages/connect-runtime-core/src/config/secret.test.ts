import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { printConfigValue } from './config-types.ts';
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

  it('is recognised, and masked, when it comes from another copy of the package', async () => {
    const copy = (await import(`${import.meta.dirname}/secret.ts?copy`)) as typeof import('./secret.ts');
    const other = new copy.Secret('hunter2');
    expect(copy.Secret).not.toBe(Secret);
    expect(other instanceof Secret && other.reveal()).toBe('hunter2');
    expect(secret instanceof copy.Secret).toBe(true);
    expect(printConfigValue(other)).toBe('[hidden]');
    expect({} instanceof Secret).toBe(false);
  });
});
