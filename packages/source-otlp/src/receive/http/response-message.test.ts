import { BinaryReader } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { signalNames, signals } from '../../model/signals.ts';
import { partialSuccessBody, statusBody } from './response-message.ts';

const messages = fc.string({ unit: 'binary', maxLength: 300 });
const counts = fc.oneof(fc.nat(300), fc.maxSafeNat());

it('the receiver writes a partial success that protobuf readers read', () => {
  fc.assert(
    fc.property(counts, messages, (rejected, message) => {
      const outer = new BinaryReader(partialSuccessBody('protobuf', 'traces', { rejected, message }));
      expect(outer.tag()).toStrictEqual([1, 2]);
      const inner = new BinaryReader(outer.bytes());
      expect(outer.pos).toBe(outer.len);
      const read: unknown[] = [];
      while (inner.pos < inner.len) read.push(inner.tag()[0] === 1 ? Number(inner.int64()) : inner.string());
      expect(read).toStrictEqual(rejected === 0 ? [message] : [rejected, message]);
    }),
  );
});

it('the receiver writes a partial success in JSON, with the count as text under the name of its signal', () => {
  fc.assert(
    fc.property(fc.constantFrom(...signalNames), counts, messages, (signal, rejected, message) => {
      const text = partialSuccessBody('json', signal, { rejected, message }).toString();
      const count = rejected === 0 ? {} : { [signals[signal].rejected]: String(rejected) };
      expect(JSON.parse(text)).toStrictEqual({ partialSuccess: { ...count, errorMessage: message } });
    }),
  );
});

it('the receiver writes a status that protobuf and JSON readers read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 16 }), messages, (code, message) => {
      const reader = new BinaryReader(statusBody('protobuf', code, message));
      expect([reader.tag(), reader.int32(), reader.tag(), reader.string()]).toStrictEqual([
        [1, 0],
        code,
        [2, 2],
        message,
      ]);
      expect(JSON.parse(statusBody('json', code, message).toString())).toStrictEqual({ code, message });
    }),
  );
});
