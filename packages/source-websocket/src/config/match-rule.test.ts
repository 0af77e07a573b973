import { describe, expect, it } from 'vitest';
import { matchRule, matchText, ReceivedMessage } from './match-rule.ts';

describe('match rule', () => {
  it.each([
    ['subscribed', '{"type":"subscribed"}', true],
    ['subscribed', 'nothing', false],
    ['/event=ok', '{"event":"ok"}', true],
    ['/event=ok', '{"event":"no"}', false],
    ['/event', '{"event":null}', true],
    ['/event', '{"other":1}', false],
    ['/a/1/b=2', '{"a":[0,{"b":2}]}', true],
    ['/ok=true', '{"ok":true}', true],
    ['/ok=null', '{"ok":null}', true],
    ['/a=1', '{"a":{"b":1}}', false],
    ['/a~1b/c~0d=x=y', '{"a/b":{"c~d":"x=y"}}', true],
    ['/event=ok', 'no JSON', false],
    ['/__proto__', '{}', false],
    ['/toString', '{}', false],
    ['/event=ok', '{"ev\\u0065nt":"\\u006fk"}', true],
    ['/a=1', '{"a":1.0}', true],
    ['/a=1e2', '{"a":"1e2"}', true],
    ['/0=x', '["x"]', true],
    ['/0/1=3', '[[0,3.0]]', true],
    ['/0/1', '[[0]]', false],
    ['/=', '{"":""}', true],
    ['/a=NaN', '{"a":"NaN"}', true],
    ['/ü=ß', '{"ü":"ß"}', true],
    ['=2', '2', true],
    ['=2', '42', false],
    ['=', '', true],
    ['=\n', '\n', true],
    ['^42[', '42["price",1]', true],
    ['^42[', '42', false],
    ['^2', '42', false],
  ])('%s on %s is %s', (rule, message, expected) => {
    expect(matchRule(rule)(new ReceivedMessage(Buffer.from(message)))).toBe(expected);
  });

  it('does not parse long messages', () => {
    expect(matchRule('/a')(new ReceivedMessage(Buffer.from(`{"a":"${'x'.repeat(70_000)}"}`)))).toBe(false);
  });

  it.each([
    ['', 'String must be non-empty'],
    ['^', 'String must be non-empty'],
    ['/a~b=1', 'String must be a JSON pointer (RFC 6901), such as /customer/id'],
    ['/a~1b=~', undefined],
    ['any ~ text', undefined],
  ])('%j is checked: %s', (text, problem) => {
    expect(matchText.check(text)).toBe(problem);
  });
});
