import { ConnectorError } from '@levada/connect-runtime-core';
import { expect, it } from 'vitest';
import { HerderError } from './herder-error.ts';
import { traceOf } from './trace.ts';

const classLines = (thrown: unknown): readonly string[] =>
  traceOf(thrown)
    .split('\n')
    .filter((line) => !/^\s+at /.test(line));

const lost = new ConnectorError('connection_lost', 'gone');
const unfit = new ConnectorError('conversion_failed', 'no Struct');

it.each([
  [
    'a wrong value',
    new ConnectorError('config_invalid', 'x'),
    'org.apache.kafka.common.config.ConfigException: x',
  ],
  ['unfit data', unfit, 'org.apache.kafka.connect.errors.DataException: no Struct'],
  [
    'another failure',
    new ConnectorError('fenced', 'x'),
    'org.apache.kafka.connect.errors.ConnectException: x',
  ],
  ['a lost peer, for which the task ended', lost, 'org.apache.kafka.connect.errors.ConnectException: gone'],
  [
    'a class that is not installed',
    new HerderError('unknown_class', 'x'),
    'org.apache.kafka.connect.errors.ConnectException: x',
  ],
  ['a bug', new TypeError('x is not a function'), 'TypeError: x is not a function'],
  ['what is no error', 'text', 'Error: text'],
])('the trace of %s begins with the class that Java gives it', (_, thrown, first) => {
  expect(classLines(thrown)).toEqual([first]);
});

it('the trace names the class of each cause', () => {
  const spent = new ConnectorError('reconnect_exhausted', 'spent', { cause: lost });
  expect(classLines(spent)).toEqual([
    'org.apache.kafka.connect.errors.ConnectException: spent',
    'Caused by: org.apache.kafka.connect.errors.RetriableException: gone',
  ]);
});

it('the trace of a record that is not tolerated is a ConnectException with the DataException as cause', () => {
  const failure = new ConnectorError('tolerance_exceeded', 'Tolerance exceeded in error handler', {
    cause: unfit,
  });
  expect(classLines(failure)).toEqual([
    'org.apache.kafka.connect.errors.ConnectException: Tolerance exceeded in error handler',
    'Caused by: org.apache.kafka.connect.errors.DataException: no Struct',
  ]);
});

it.each([
  ['conversion_failed', 'org.apache.kafka.connect.errors.DataException'],
  ['config_invalid', 'org.apache.kafka.common.config.ConfigException'],
] as const)('the trace names the class of %s also when its cause has the same code', (code, name) => {
  const inner = new ConnectorError(code, 'field "b"');
  expect(classLines(new ConnectorError(code, 'record', { cause: inner }))).toEqual([
    `${name}: record`,
    `Caused by: ${name}: field "b"`,
  ]);
});
