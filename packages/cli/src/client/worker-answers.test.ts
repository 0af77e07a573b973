import { expect, it } from 'vitest';
import { connectionText, firstLine, withoutRepeats } from './worker-answers.ts';

it.each([
  [undefined, ''],
  ['ConnectError: down\n\tat a', 'ConnectError: down'],
  ['org.apache.kafka.connect.errors.ConnectException: down\n\tat a', 'ConnectException: down'],
  ['com.example.a.Down$Hard', 'Down$Hard'],
  ['No class x, available connectors are: PluginDesc{a}, PluginDesc{b}\n\tat a', 'No class x'],
])('shows of the trace %j what one line can say', (trace, shown) => {
  expect(firstLine(trace)).toBe(shown);
});

it('one wrong value is one problem, although it is validated as null, too', () => {
  const read = 'Invalid value x for configuration tasks.max: Not a number of type INT';
  const other = 'Invalid value null for configuration topic: Value must be non-null';
  expect(
    withoutRepeats([read, 'Invalid value null for configuration tasks.max: Value must be non-null', other]),
  ).toEqual([read, other]);
});

it.each([
  [null, 'connected, last message 3.0 s ago'],
  [20, 'connected, last message 3.0 s ago'],
  [12_345, 'connected, last message 3.0 s ago, not read for 12 s because the queue is full'],
])('says that a connection is held up when that lasts: %j ms', (held_up_ms, text) => {
  const others = { last_message_age_ms: 3000, last_error: null, attempt: null, next_try_in_ms: null };
  expect(connectionText([{ task: 0, state: 'connected', held_up_ms, ...others }])).toBe(text);
});
