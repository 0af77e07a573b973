import { expect, it } from 'vitest';
import { brokerAddress } from './link-options.ts';

it.each([
  ['localhost:9092', { host: 'localhost', port: 9092 }],
  [' [::1]:1 ', { host: '::1', port: 1 }],
  ['localhost', undefined],
  ['localhost:0', undefined],
  ['localhost:65536', undefined],
  ['::1:9092', undefined],
])('"%s" is an address', (text, address) => {
  expect(brokerAddress(text)).toEqual(address);
});
