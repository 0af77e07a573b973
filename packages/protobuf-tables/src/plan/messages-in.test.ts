import { StructSchema } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { messagesIn } from './messages-in.ts';

it('a recursive message is listed once', () => {
  const names = [...messagesIn([StructSchema])].map(({ name }) => name);
  expect(names).toEqual(['Struct', 'Value', 'ListValue']);
});
