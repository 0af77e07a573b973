import { StructSchema } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { messagesIn } from './messages-in.ts';

it('finds messages that hold themselves once', () => {
  const names = [...messagesIn([StructSchema])].map(({ name }) => name);
  expect(names).toEqual(['Struct', 'Value', 'ListValue']);
});
