import { describe, expect, it } from 'vitest';
import {
  allOf,
  atLeast,
  nonBlank,
  nonEmpty,
  oneOfIgnoringCase,
  optional,
  port,
  topicName,
  type ValidatedValue,
  type Validator,
  violation,
  withMessage,
} from './validators.ts';
import { httpHeaderName, httpHeaderValue, jsonPointer, jsonText, url } from './wire-validators.ts';

const webSocketUrl = url('ws', 'wss');

describe('validators', () => {
  it.each<[string, Validator, ValidatedValue, string | undefined]>([
    ['nonEmpty', nonEmpty, '', 'String must be non-empty'],
    ['nonEmpty', nonEmpty, null, undefined],
    ['nonBlank', nonBlank, ' \t', 'String must be non-blank'],
    ['nonBlank', nonBlank, 'x', undefined],
    ['port', port, 0, 'Value must be at least 1'],
    ['port', port, 65_536, 'Value must be no more than 65535'],
    ['port', port, null, 'Value must be non-null'],
    ['optional', optional(port), null, undefined],
    ['oneOfIgnoringCase', oneOfIgnoringCase('A', 'B'), 'b', undefined],
    ['oneOfIgnoringCase', oneOfIgnoringCase('A', 'B'), 'c', 'String must be one of (case insensitive): A, B'],
    ['topicName', topicName, 'a.b_c-D9', undefined],
    ['topicName', topicName, '..', 'Topic name cannot be "." or ".."'],
    ['topicName', topicName, 'a b', "Topic name may hold only ASCII letters, digits, '.', '_' and '-'"],
    ['topicName', topicName, 'a'.repeat(250), 'Topic name is 250 characters long, at most 249 are allowed'],
    ['url', webSocketUrl, 'wss://user:pass@h:1/p?q=1', undefined],
    ['url', webSocketUrl, 'WS://[::1]:8080', undefined],
    ['url', webSocketUrl, '', 'String must be non-empty'],
    ['url', webSocketUrl, 'http://h', 'URL must begin with ws:// or wss://'],
    ['url', webSocketUrl, 'ws:', 'URL must begin with ws:// or wss://'],
    ['url', webSocketUrl, 'ws://', 'URL is not valid'],
    ['url', webSocketUrl, 'ws://h:99999', 'URL is not valid'],
    ['url', webSocketUrl, 'ws://h/#x', 'URL may not contain a fragment'],
    ['url', webSocketUrl, 'ws://h/\r\nX: y', 'URL may not contain blanks or control characters'],
    ['url', webSocketUrl, 'ws://h/\0', 'URL may not contain blanks or control characters'],
    [
      'url',
      webSocketUrl,
      `ws://h/${'a'.repeat(9000)}`,
      'URL is 9007 characters long, at most 8192 are allowed',
    ],
    ['httpHeaderName', httpHeaderName, 'X-Api-Key', undefined],
    [
      'httpHeaderName',
      httpHeaderName,
      'X Key:',
      "Header name may hold only ASCII letters, digits and !#$%&'*+-.^_`|~",
    ],
    ['httpHeaderValue', httpHeaderValue, 'Bearer abc\t1', undefined],
    [
      'httpHeaderValue',
      httpHeaderValue,
      'a\r\nb',
      'Header value may hold only visible ASCII characters, blanks and tabs',
    ],
    ['jsonText', jsonText, '{"a":[1]}', undefined],
    ['jsonText', jsonText, '{secret', 'String must be valid JSON'],
    ['jsonText', jsonText, '['.repeat(200_000), 'String must be valid JSON'],
    ['jsonText', jsonText, null, undefined],
    ['jsonPointer', jsonPointer, '/customer/id', undefined],
    ['jsonPointer', jsonPointer, null, undefined],
    [
      'jsonPointer',
      jsonPointer,
      'customer.id',
      'String must be a JSON pointer (RFC 6901), such as /customer/id',
    ],
  ])('%s says what it must of case %#', (_name, validator, value, expected) => {
    expect(violation(validator, value)?.problem).toBe(expected);
  });

  it('name what they allow', () => {
    expect([
      atLeast(1).allowed,
      port.allowed,
      webSocketUrl.allowed,
      allOf(nonEmpty, topicName).allowed,
    ]).toEqual([
      '[1,...]',
      '[1,...,65535]',
      'URL that begins with ws:// or wss://',
      'non-empty string, topic name',
    ]);
  });

  it('keep the way of wording of each part when they are combined and made optional', () => {
    const combined = optional(allOf(nonEmpty, withMessage('Exactly this', oneOfIgnoringCase('x'))));
    expect(violation(combined, '')).toEqual({ problem: 'String must be non-empty', verbatim: false });
    expect(violation(combined, 'y')).toEqual({ problem: 'Exactly this', verbatim: true });
    expect(violation(combined, null)).toBeUndefined();
  });
});
