import { create, type FileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { isConnectorError } from '@levada/connect-runtime-core';
import { descriptorSet, testDescriptor, testFiles } from '@levada/test-peers/grpc';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMethod } from '../src/descriptor/find-method.ts';
import { readDescriptor } from '../src/descriptor/read-descriptor.ts';
import { encodeRequest } from '../src/request/request-message.ts';

const names = [
  'google/protobuf/timestamp.proto',
  'google/protobuf/any.proto',
  'teststream/legacy.proto',
  'teststream/kinds.proto',
];

/** Small, and without comments, so that each byte means something. */
const good = descriptorSet(
  [...testFiles().values()]
    .filter(({ name }) => names.includes(name))
    .map((file) => ({ ...file, sourceCodeInfo: undefined })),
);

/** What reading answers: the types, or the reason. Anything thrown that is not such an error fails the test. */
function read(bytes: Uint8Array): FileRegistry | string {
  try {
    return readDescriptor(`base64:${Buffer.from(bytes).toString('base64')}`);
  } catch (thrown) {
    if (!isConnectorError(thrown)) throw thrown;
    expect(thrown.message).toMatch(/^Invalid proto descriptor: /);
    expect(thrown.message).not.toMatch(/\p{Cc}|undefined|\[object/u);
    expect(thrown.message.length).toBeLessThan(600);
    return thrown.message;
  }
}

/** Uses all that was read: what is accepted must also work. */
function use(registry: FileRegistry): void {
  for (const type of registry) {
    if (type.kind === 'message') create(type);
    if (type.kind !== 'service') continue;
    for (const method of type.methods) {
      try {
        encodeRequest(findMethod(registry, type.typeName, method.name), '{}', registry);
      } catch (thrown) {
        if (!isConnectorError(thrown)) throw thrown;
      }
    }
  }
}

function outcome(bytes: Uint8Array): 'read' | 'refused' {
  const found = read(bytes);
  if (typeof found === 'string') return 'refused';
  use(found);
  return 'read';
}

describe('a descriptor set', () => {
  it('is read as it is', () => {
    expect(outcome(good)).toBe('read');
    expect(outcome(testDescriptor())).toBe('read');
  });

  it('is refused or still valid when cut off after any byte', () => {
    const outcomes = Array.from(good, (_, length) => outcome(good.subarray(0, length)));
    expect(outcomes.slice(0, 100)).not.toContain('read');
    // A set that ends with a whole file has fewer files, and that may be well.
    expect(outcomes.filter((each) => each === 'read').length).toBeLessThan(testFiles().size);
  });

  it('is refused or still valid when one bit of any byte is flipped', () => {
    const counts = { read: 0, refused: 0 };
    for (const [at, byte] of good.entries()) {
      const flipped = good.slice();
      flipped[at] = byte ^ (1 << (at % 8));
      counts[outcome(flipped)] += 1;
    }
    expect(counts.read).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(counts.read / 10);
  });

  it('is refused or valid when bytes are written over at random', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.uint8Array({ minLength: 1, maxLength: 12 })), {
          minLength: 1,
          maxLength: 5,
        }),
        (edits) => {
          const edited = Buffer.from(good);
          for (const [at, bytes] of edits) edited.set(bytes.subarray(0, good.length - at), at);
          expect(['read', 'refused']).toContain(outcome(edited));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is refused when it is random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
        expect(outcome(Uint8Array.of(0x0a, ...bytes))).toBe('refused');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a chain of message types', () => {
  const chain = (count: number): FileRegistry => {
    const file = create(FileDescriptorProtoSchema, {
      name: 'a.proto',
      syntax: 'proto3',
      messageType: Array.from({ length: count }, (_, i) => {
        const next = { name: 'next', number: 1, label: 1, type: 11, typeName: `.M${(i + 1) % count}` };
        return { name: `M${i}`, field: [next] };
      }),
      service: [
        { name: 'S', method: [{ name: 'Go', inputType: '.M0', outputType: '.M0', serverStreaming: true }] },
      ],
    });
    return read(descriptorSet([file])) as FileRegistry;
  };

  it('is used while it is not too long for the stack', () => {
    const registry = chain(1000);
    expect(encodeRequest(findMethod(registry, 'S', 'Go'), '{"next":{"next":{}}}', registry)).toEqual(
      Uint8Array.of(0x0a, 2, 0x0a, 0),
    );
  });

  it('is refused when it is longer', () => {
    expect(() => findMethod(chain(20_000), 'S', 'Go')).toThrow(
      'Invalid proto descriptor: types are nested more than 1000 levels deep in "M0"',
    );
  });
});
