import { expect, it } from 'vitest';
import { isSecretText } from './config-changes.ts';

it.each([
  ['some.password', 'hush', true],
  ['sasl.jaas.config', 'x', true],
  ['url', 'ws://me:hush@host/x', true],
  ['url', 'ws://host/?api_key=hush', true],
  ['url', 'ws://host/?page=1', false],
  ['ssl.key', '-----BEGIN PRIVATE KEY-----', true],
  ['headers', 'a=********', true],
  ['some.password', `\${file:/etc/levada/secrets.properties:password}`, false],
  ['auth.token', `Bearer \${env:TOKEN}`, false],
  ['auth.token', `\${TOKEN}`, true],
  ['secret.keys', 'a,b', false],
  ['topic', 'prices', false],
])('decides whether %s=%s may hold a secret', (key, text, expected) => {
  expect(isSecretText(key, text)).toBe(expected);
});
