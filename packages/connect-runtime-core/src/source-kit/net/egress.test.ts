import { describe, expect, it } from 'vitest';
import { guardedLookup, isDeniedAddress } from './egress.ts';

describe('denied addresses', () => {
  it.each([
    ['169.254.169.254', true],
    ['169.254.0.1', true],
    ['0.0.0.0', true],
    ['224.0.0.1', true],
    ['239.255.255.255', true],
    ['fe80::1', true],
    ['ff02::1', true],
    ['::', true],
    ['fd00:ec2::254', true],
    ['fe80::1%lo', true],
    ['64:ff9b::169.254.169.254', true],
    ['64:ff9b::1.1.1.1', false],
    ['::ffff:169.254.169.254', true],
    ['127.0.0.1', false],
    ['10.0.0.1', false],
    ['192.168.1.1', false],
    ['::1', false],
    ['fd00::1', false],
    ['feed.example', false],
  ])('%s: %s', (address, expected) => {
    expect(isDeniedAddress(address)).toBe(expected);
  });
});

describe('name lookup', () => {
  it('answers one address or all of them, as asked', async () => {
    const all = await new Promise((resolve) =>
      guardedLookup('127.0.0.1', { all: true }, (_, found) => resolve(found)),
    );
    expect(all).toEqual([{ address: '127.0.0.1', family: 4 }]);
    const one = await new Promise((resolve) =>
      guardedLookup('127.0.0.1', {}, (_, address, family) => resolve([address, family])),
    );
    expect(one).toEqual(['127.0.0.1', 4]);
  });

  it('refuses a name that stands for a denied address', async () => {
    const error = await new Promise((resolve) => guardedLookup('169.254.169.254', { all: true }, resolve));
    expect(error).toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('stands for 169.254.169.254, a link-local'),
    });
  });
});
