// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of configurations look like that
import { describe, expect, it } from 'vitest';
import { maskText, SecretMask } from './secret-mask.ts';

const mask = new SecretMask({
  providers: ['file', 'env'],
  find: (name) =>
    name === 'pin' ? { name, type: 'password', importance: 'high', documentation: '' } : undefined,
});

describe('SecretMask', () => {
  it.each([
    ['pin', '1234'],
    ['db.password', 'x'],
    ['websocket.auth.token', 'x'],
    ['my_API_KEY', 'x'],
    ['client.secret', 'x'],
    ['aws.credentials', 'x'],
    ['producer.override.sasl.jaas.config', 'PlainLoginModule required;'],
    ['anything', '-----BEGIN RSA PRIVATE KEY-----\nabc'],
    ['pin', '${vault:x:y}'],
  ])('hides the literal value of %s', (name, text) => {
    expect(mask.mask(name, text)).toBe(maskText);
  });

  it.each([
    ['topic', 'prices'],
    ['tasks.max', '1'],
    ['key.converter', 'org.apache.kafka.connect.storage.StringConverter'],
    ['pin', '${file:/run/s:pin}'],
    ['pin', 'Bearer ${env:TOKEN}'],
    ['pin', ''],
    ['url', 'wss://${env:USER}@h/'],
  ])('shows %s=%s as it is written', (name, text) => {
    expect(mask.mask(name, text)).toBe(text);
  });

  it.each([
    ['wss://bob:pw@h:1/x', 'wss://********@h:1/x'],
    ['wss://bob:p@w@h/x', 'wss://********@h/x'],
    ['wss://h/x?a=1&token=abc&b=2', 'wss://h/x?a=1&token=********&b=2'],
    ['https://h/?api_key=abc', 'https://h/?api_key=********'],
    ['https://h/?a?token=abc', 'https://h/?a?token=********'],
    ['https://h/a@b', 'https://h/a@b'],
    ['http://a:p@h,http://b:q@i/x', 'http://********@h,http://********@i/x'],
    ['http://h, http://b:q@i', 'http://h, http://********@i'],
  ])('hides what is secret in the URL %s', (text, shown) => {
    expect(mask.mask('url', text)).toBe(shown);
  });

  it.each(['?a', '?token', '&token', '?token=', '-----BEGIN ', 'PRIVATE KEY ', ',   ', ',aaaa'])(
    'reads a megabyte of %s in linear time',
    (piece) => {
      const text = piece.repeat(1_048_576 / piece.length);
      expect(mask.mask('url', text).length).toBeGreaterThan(0);
      expect(mask.secretTexts({ url: text }).length).toBeLessThan(2);
    },
  );

  it('puts back what is stored where a mask of it was sent', () => {
    const stored = { pin: '1234', url: 'wss://bob:pw@h/', topic: 't' };
    const sent = { ...mask.maskAll(stored), topic: 'u', 'other.secret': maskText };
    const unmasked = mask.unmask(sent, stored);
    expect(unmasked).toEqual({ ...stored, topic: 'u', 'other.secret': maskText });
    expect(mask.stillMasked(unmasked)).toEqual(['other.secret']);
  });

  it('names the secrets of a configuration for a scrubber', () => {
    expect(mask.secretTexts({ pin: '1234', url: 'wss://bob:pw@h/?token=abc', topic: 't' })).toEqual([
      '1234',
      'bob:pw',
      'pw',
      'abc',
    ]);
  });
});

describe('SecretMask of a configuration that names secrets', () => {
  const naming = new SecretMask({
    providers: ['file'],
    find: (name) =>
      name === 'message' || name === 'old.message'
        ? { name: 'message', type: 'string', importance: 'high', documentation: '' }
        : undefined,
    named: new Set(['message', 'query']),
  });

  it('hides them, also under their aliases, and shows references and the names themselves', () => {
    const config = {
      message: 'a',
      'old.message': 'b',
      query: '${file:/run/s:query}',
      'secret.keys': 'message,query',
      topic: 't',
    };
    expect(naming.maskAll(config)).toEqual({ ...config, message: maskText, 'old.message': maskText });
    expect(naming.secretTexts(config)).toEqual(['a', 'b']);
  });
});
