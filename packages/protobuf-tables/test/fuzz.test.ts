import { expect, test, vi } from 'vitest';
import { type WireToJson, wireToJson } from '../src/index.ts';
import { runBroken } from './broken-run.ts';
import { floods, NODES } from './floods.ts';
import { attack, fuzz, fuzzTargets, type Outcome } from './fuzz-run.ts';
import { deeplyGrouped, deeplyNested } from './mutations.ts';
import { propertyRuns, propertyTimeout } from './property-runs.ts';
import { messageOf } from './proto-text.ts';
import { randomMessage } from './random-message.ts';
import { randomSchema } from './random-schema.ts';
import { putVarint } from './wire-bytes.ts';

vi.setConfig({ testTimeout: propertyTimeout() });

const SEED = 4;

function outcomeOf(converter: WireToJson, wire: Uint8Array): Outcome {
  return attack(converter, wire).outcome;
}

test('any bytes give valid JSON or a ConversionError', () => {
  const targets = fuzzTargets(SEED, 40);
  const each = propertyRuns(900);
  const results = targets.map((target, index) => fuzz(target, each, index));
  expect(results.flatMap(({ problems }) => problems).slice(0, 3)).toEqual([]);
  const refused = results.reduce((sum, result) => sum + result.refused, 0);
  expect(refused).toBeGreaterThan((each * targets.length) / 4); // otherwise the mutations have no effect
  expect(refused).toBeLessThan((each * targets.length * 19) / 20);
});

test('broken messages are read as by a strict reader', () => {
  const problems: string[] = [];
  const each = propertyRuns(250);
  let converted = 0;
  for (let seed = 0; seed < 40; seed += 1) converted += runBroken(seed, each, (text) => problems.push(text));
  expect(problems.slice(0, 3)).toEqual([]);
  expect(converted).toBeGreaterThan(each * 4); // of 40 times as many
});

test('a message cut at any byte gives a ConversionError or JSON', () => {
  const problems: unknown[] = [];
  for (const { converter, messages } of fuzzTargets(SEED, 20)) {
    for (const message of messages.slice(0, 4)) {
      for (let size = 0; size <= Math.min(message.length, 300); size += 1) {
        const outcome = outcomeOf(converter, message.slice(0, size));
        if (typeof outcome !== 'string') problems.push(outcome);
      }
    }
  }
  expect(problems.slice(0, 3)).toEqual([]);
});

test('no single-bit corruption of a message crashes the converter', () => {
  const problems: unknown[] = [];
  for (const { converter, messages } of fuzzTargets(SEED + 50, 12)) {
    const message = Uint8Array.from(messages[0]?.subarray(0, 120) ?? []);
    for (let bit = 0; bit < message.length * 8; bit += 1) {
      const flipped = message.with(bit >> 3, (message[bit >> 3] as number) ^ (1 << (bit & 7)));
      const outcome = outcomeOf(converter, flipped);
      if (typeof outcome !== 'string') problems.push(outcome);
    }
  }
  expect(problems.slice(0, 3)).toEqual([]);
});

const node = wireToJson(messageOf(NODES, 'nodes.Node'), { registry: NODES, defaults: false });

/** Depth of nested objects, including the outermost. */
function depthOf(json: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  for (const byte of json) {
    if (byte === 0x7b) depth += 1;
    if (byte === 0x7d) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const NODE_URL = [10, 10, ...Buffer.from('nodes.Node')];

test.each([
  ['a message', [{ number: 1 }], 100],
  ['a list', [{ number: 2 }], 100],
  ['a map', [{ number: 3 }, { number: 2, before: [10, 1, 107] }], 199], // each map is an object too
])('a hundred levels of %s are converted, and more are refused', (_, steps, objects) => {
  expect(depthOf(node.convert(deeplyNested(steps, 99)))).toBe(objects);
  for (const depth of [100, 101, 1000, 30_000])
    expect(outcomeOf(node, deeplyNested(steps, depth))).toBe('refused');
});

test('endlessly nested values and Anys are refused', () => {
  const value = [{ number: 6 }, { number: 1 }];
  const any = [{ number: 5 }, { number: 2, before: NODE_URL }];
  expect(outcomeOf(node, deeplyNested(any, 10))).toBe('converted');
  for (const depth of [1000, 30_000]) {
    const list = deeplyNested(value, depth);
    const header = deeplyNested([{ number: 4 }], 1);
    expect(
      outcomeOf(node, Uint8Array.from([...header.slice(0, -1), ...varintOf(list.length), ...list])),
    ).toBe('refused');
    expect(outcomeOf(node, deeplyNested(any, depth))).toBe('refused');
  }
});

function varintOf(value: number): number[] {
  const out: number[] = [];
  putVarint(out, value);
  return out;
}

test('unknown groups are skipped up to the depth of messages, and floods of them are refused', () => {
  expect(outcomeOf(node, deeplyGrouped(99, 90, true))).toBe('converted');
  for (const depth of [200, 10_000, 200_000]) {
    expect(outcomeOf(node, deeplyGrouped(99, depth, true))).toBe('refused');
    expect(outcomeOf(node, deeplyGrouped(99, depth, false))).toBe('refused');
  }
});

test('rejected input does not change later output', () => {
  for (let seed = 0; seed < 30; seed += 1) {
    const { root, registry } = randomSchema(seed);
    const converter = wireToJson(root, { registry });
    const message = randomMessage(root, seed, { registry, invalidShare: 0 });
    const first = outcomeOf(converter, message);
    const before = first === 'converted' ? Buffer.from(converter.convert(message)).toString() : first;
    for (let size = 0; size < Math.min(message.length, 60); size += 1)
      attack(converter, message.subarray(0, size));
    const after =
      outcomeOf(converter, message) === 'converted'
        ? Buffer.from(converter.convert(message)).toString()
        : first;
    expect(after).toBe(before);
  }
});

test.each(floods(30_000))('the cost of a flood is linear: $name', ({ name, desc, registry, wire }) => {
  const flooded = wireToJson(desc, { registry });
  expect(outcomeOf(flooded, wire)).toBe(name === 'open groups' ? 'refused' : 'converted');
});
