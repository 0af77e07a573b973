import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ConfigState } from './config-state.ts';

// V8 puts `gc` into contexts that are made after the flag was set.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MEGABYTE = 1_000_000;
const CONNECTORS = 5;
const TASKS = 5;

it('holds a long value once, however many connectors and tasks have it', () => {
  const descriptor = 'CvAEChd0'.repeat(MEGABYTE / 8);
  // as read from a topic: every record has a text of its own
  const record = (n: number): unknown =>
    JSON.parse(JSON.stringify({ properties: { n: String(n), descriptor } }));
  const state = new ConfigState();
  collect();
  const before = process.memoryUsage().heapUsed;
  let offset = 0;
  for (let i = 0; i < CONNECTORS; i += 1) {
    state.apply(`connector-c${i}`, record(i), offset++);
    for (let task = 0; task < TASKS; task += 1) state.apply(`task-c${i}-${task}`, record(task), offset++);
    state.apply(`commit-c${i}`, { tasks: TASKS }, offset++);
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5 * MEGABYTE);
  const last = state.get(`c${CONNECTORS - 1}`);
  expect(last?.config).toEqual({ n: String(CONNECTORS - 1), descriptor });
  expect(last?.tasks?.map(({ n }) => n)).toEqual(['0', '1', '2', '3', '4']);
  expect(last?.tasks?.every((task) => task['descriptor'] === descriptor)).toBe(true);
});
