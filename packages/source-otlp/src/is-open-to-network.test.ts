import { describe, expect, it } from 'vitest';
import { otlpConfig } from './config.ts';
import { isOpenToNetwork } from './is-open-to-network.ts';

describe('isOpenToNetwork', () => {
  it.each([
    ['0.0.0.0', true],
    ['::', true],
    ['192.0.2.1', true],
    ['localhost', false],
    ['127.0.0.1', false],
    ['127.8.8.8', false],
    ['::1', false],
    ['0:0:0:0:0:0:0:1', false],
    ['::ffff:127.0.0.1', false],
  ])('of %s is %s', (address, expected) => {
    expect(isOpenToNetwork(otlpConfig.parse({ 'otlp.bind.address': address }))).toBe(expected);
  });

  it('is not with a token', () => {
    expect(isOpenToNetwork(otlpConfig.parse({ 'otlp.auth.tokens': 'one' }))).toBe(false);
  });
});
