import { expect, it } from 'vitest';
import { firstLine } from './worker-answers.ts';

it.each([
  [undefined, ''],
  ['ConnectError: down\n\tat a', 'ConnectError: down'],
  ['No class x, available connectors are: PluginDesc{a}, PluginDesc{b}\n\tat a', 'No class x'],
])('shows of the trace %j what one line can say', (trace, shown) => {
  expect(firstLine(trace)).toBe(shown);
});
