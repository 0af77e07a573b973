import { describe, expect, test } from 'vitest';
import { matchesFormat } from '../derived/check-value.ts';
import { type TextFormat, textFormats } from './formats.ts';

const device = ['CON', 'nul', 'Com1', 'LPT9'];

const cases: Readonly<
  Partial<Record<TextFormat, { readonly good: readonly string[]; readonly bad: readonly string[] }>>
> = {
  identifier: {
    good: ['orders', '_x', 'Orders_2', 'orders-clean', 'a.b-c_d', 'console', 'x'.repeat(128)],
    bad: [
      '2x',
      'a b',
      'a"b',
      "a'b",
      'a`b',
      'a;b',
      'a--b',
      'a/*b',
      '../x',
      'a\nb',
      'größe',
      '😀',
      'a\u202eb',
      'a\u200bb',
      '-a',
      'a-',
      'x'.repeat(300),
      ...device,
    ],
  },
  label: {
    good: ['fraud dashboard', 'DISCUSSION', 'all-in-one', 'Größe 2', '2026 plan', 'x'.repeat(128)],
    bad: [' a', 'a ', 'a  b', 'a;b', 'a"b', '../x', 'a\nb', '😀', 'a\u202eb', 'x'.repeat(129), ...device],
  },
  topic: {
    good: ['orders.v1', 'a', '-', 'x'.repeat(249)],
    bad: ['.', '..', 'a b', 'a/b', 'größe', 'x'.repeat(250)],
  },
  'config-key': { good: ['retention.ms'], bad: ['a b', 'a=b'] },
  'class-name': { good: ['io.vendor.Sink', 'a.b.C$D'], bad: ['foo-sink', 'Sink', 'a..b', '.a'] },
  'http-url': {
    good: ['http://localhost:8083', 'https://x/y?z'],
    bad: ['localhost:8083', 'ftp://x', 'http://', 'http:///x'],
  },
  servers: {
    good: ['localhost:9092', 'a:1,b:2', 'a:1, b:2', '[::1]:9092', 'SASL_SSL://a:1'],
    bad: ['localhost', 'a:', ':9092', 'a:1,', 'a:1 b:2', 'a:123456'],
  },
  semver: { good: ['1.0.0', '1.2.3-rc.1+build'], bad: ['1.0', 'v1', '1.0.0.0'] },
  'engine-version': {
    good: ['2.2', 'v1.20', '1.20.3', '2.3-SNAPSHOT', '1.20.1-csa1.14'],
    bad: ['2', 'latest', '2.', '.2', '2.2 ', '2.2x', 'v'],
  },
  date: { good: ['2027-01-31', '2027-01-31T10:00:00Z'], bad: ['2025-13-45', '31.1.2027', '2027-1-1'] },
  window: {
    good: ['1 HOUR', '15 minutes', '30 SECONDS', '2 Days'],
    bad: ['1 FORTNIGHT', 'HOUR', '0 HOUR', '1HOUR', '-1 DAY'],
  },
  cron: {
    good: ['0 6 * * *', '*/5 * * * MON-FRI', '@daily', '0 0 6 ? * 2#1'],
    bad: ['nonsense', '* * * *', '@never'],
  },
};

describe.each(Object.entries(cases))('the format "%s"', (name, { good, bad }) => {
  const format = name as TextFormat;
  test.each(good)('takes %j', (text) => {
    expect(matchesFormat(format, text)).toBe(true);
  });
  test.each(bad)('refuses %j', (text) => {
    expect(matchesFormat(format, text)).toBe(false);
  });
});

test('every format with a pattern has cases', () => {
  const patterns = Object.entries(textFormats).filter(([, format]) => 'pattern' in format);
  expect(patterns.map(([name]) => name)).toEqual(Object.keys(cases));
});

/** Texts that make a pattern with nested choices try every way to part them. */
const slow = ['a', ' ', '.', 'a.', 'a-', '* ', ':1,', 'http://', '[:', 'A://', '0', '(', 'é'].map(
  (part) => `${part.repeat(50_000)}\n!`,
);

test('patterns take time in proportion to the text', () => {
  // A pattern that backtracks would not end within this test's limit. None of the texts is of any format.
  for (const format of Object.keys(cases) as TextFormat[]) {
    for (const text of slow) {
      expect([matchesFormat(format, text), matchesFormat(format, `http://${text}`)]).toEqual([false, false]);
    }
  }
});
