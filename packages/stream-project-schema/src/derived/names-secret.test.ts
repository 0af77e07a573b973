import { expect, test } from 'vitest';
import { namesSecret } from './names-secret.ts';

test.each([
  'password',
  'connection.password',
  'ssl.keystore.password',
  'PWD',
  'dbPassword',
  'apikey',
  'apiKey',
  'API_KEY',
  'aws.secret.access.key',
  'snowflake.private.key',
  'snowflake.private.key.passphrase',
  'oauth2.client.secret',
  'bearer.auth.token',
  'gcs.credentials.json',
  'sasl.jaas.config',
  'value.converter.basic.auth.user.info',
  'headers.Authorization',
  'alerts.webhook.url',
  'DB_PASS',
  'dbPass',
  'ssl.keystore.key',
])('takes the value of "%s" for a secret', (key) => {
  expect(namesSecret(key)).toBe(true);
});

test.each([
  'password.validation',
  'ssl.keystore.password.file',
  'aws.access.key.id',
  'gcs.credentials.path',
  'gcs.credentials.default',
  's3.credentials.provider.class',
  'basic.auth.credentials.source',
  'oauth2.access.token.url',
  'http.authorization.type',
  'token.ttl.ms',
  'tokenizer.class',
  'max.tokens.per.second',
  'secretary',
  'key.converter',
  'pk.fields',
  'transforms.maskPassword.replacement',
  'pass.through',
  'compass',
  'key',
  '',
])('does not take the value of "%s" for a secret', (key) => {
  expect(namesSecret(key)).toBe(false);
});

test('takes no time for a long key', () => {
  expect(namesSecret('password_'.repeat(1_000_000))).toBe(true);
});
