// Requirements of the WebAssembly walk on its process. source-otlp/test/plain-exports.test.ts tests its conversions.
import { expect, it, vi } from 'vitest';
import { createPlainConverters } from '../src/index.ts';
import { messageOf, protoText } from './proto-text.ts';

it('createPlainConverters returns undefined if memory cannot grow', () => {
  const registry = protoText('syntax = "proto3"; package p; message Request { string text = 1; }');
  const rules = {
    messages: [messageOf(registry, 'p.Request')],
    ids: new Map(),
    nested: { typeName: 'p.Request', levels: 1 },
    items: new Set<string>(),
    maxGroups: 1,
    maxDepth: 5,
  };
  expect(createPlainConverters(rules)).toBeDefined();
  const grow = (): never => {
    throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory');
  };
  class Instance {
    readonly exports = { begin: () => 1024, memory: { buffer: new ArrayBuffer(65_536), grow } };
  }
  vi.stubGlobal('WebAssembly', { Module: class {}, Instance });
  try {
    expect(createPlainConverters(rules)).toBeUndefined();
  } finally {
    vi.unstubAllGlobals();
  }
});
