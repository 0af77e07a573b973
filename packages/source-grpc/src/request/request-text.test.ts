import { describe, expect, it } from 'vitest';
import { requestText } from './request-text.ts';

describe('request text', () => {
  it.each([
    '{}',
    ' {"a":1} ',
    '{"a":{"b":[1,2,{"c":null}]}}',
    `{"a":"${'[{'.repeat(500)}\\"${'[{'.repeat(500)}"}`,
    `${'{"a":'.repeat(99)}[]${'}'.repeat(99)}`,
    '{"__proto__":{"x":1}}',
    '{"a":9007199254740991,"b":-9007199254740991,"c":1e300,"d":0.12345678901234567890,"e":"99999999999999999999","9999999999999999999":1}',
  ])('may be %j', (text) => {
    expect(requestText.check(text)).toBeUndefined();
  });

  it.each([
    ['', 'String must be valid JSON'],
    ['{', 'String must be valid JSON'],
    ['{"a":1,}', 'String must be valid JSON'],
    ["{'a':1}", 'String must be valid JSON'],
    ['{"a":"\n"}', 'String must be valid JSON'],
    ['{"a":"', 'String must be valid JSON'],
    ['[]', 'Request must be a JSON object'],
    ['null', 'Request must be a JSON object'],
    ['"x"', 'Request must be a JSON object'],
    [`${'{"a":'.repeat(100)}[]${'}'.repeat(100)}`, 'Request is nested more than 100 levels deep'],
    ['['.repeat(1_000_000), 'Request is nested more than 100 levels deep'],
    ['{"a":9007199254740993}', 'Integers beyond 2^53 lose digits as JSON numbers, write them as text'],
    ['{"a":[0,-9007199254740992]}', 'Integers beyond 2^53 lose digits as JSON numbers, write them as text'],
    [`{"a":"${'ä'.repeat(524_288)}"}`, 'Request is longer than 1048576 bytes'],
  ])('is refused: %#', (text, problem) => {
    expect(requestText.check(text)).toBe(problem);
  });
});
