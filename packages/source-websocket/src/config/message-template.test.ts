import { describe, expect, it } from 'vitest';
import { messageTemplate, messageText, type Placeholder } from './message-template.ts';

const values: Readonly<Record<string, unknown>> = {
  'secret:a': 'x"y\\z',
  count: 3,
  'reply:/o': { deep: [1, null] },
  'reply:/t': true,
  'reply:/n': null,
};
const valueFor = ({ name, argument }: Placeholder) =>
  values[argument === undefined ? name : `${name}:${argument}`];

describe('a message with placeholders', () => {
  it.each([
    ['nothing to fill: ', '{ "a" :  1 }', '{ "a" :  1 }'],
    ['a whole string of JSON takes the value as it is', '{"a":"{{count}}"}', '{"a":3}'],
    ['a part of one takes its text', '{"a":"<{{count}}>"}', '{"a":"<3>"}'],
    ['text is escaped in JSON', '["{{secret:a}}","-{{secret:a}}"]', '["x\\"y\\\\z","-x\\"y\\\\z"]'],
    [
      'objects, booleans and null',
      '["{{reply:/o}}","{{reply:/t}}","{{reply:/n}}"]',
      '[{"deep":[1,null]},true,null]',
    ],
    ['objects in a longer text', '{"a":" {{reply:/o}}"}', '{"a":" {\\"deep\\":[1,null]}"}'],
    ['names of members stay text', '{"{{count}}":1}', '{"3":1}'],
    ['an escaped quote is not the end of a string', '{"a":"\\"{{count}}"}', '{"a":"\\"3"}'],
    [
      'white space and numbers are kept',
      '{ "n": 12345678901234567890, "a": "{{count}}" }',
      '{ "n": 12345678901234567890, "a": 3 }',
    ],
    ['text of another protocol takes text', 'LOGIN {{secret:a}} {{count}}\n', 'LOGIN x"y\\z 3\n'],
    [
      'other braces are no placeholders',
      '{{ count }} {{Count}} {count} {{{}}}',
      '{{ count }} {{Count}} {count} {{{}}}',
    ],
  ])('%s', (_, text, expected) => {
    expect(messageTemplate(text).fill(valueFor)).toBe(expected);
  });

  it('is not filled when a value is missing', () => {
    const missing = { name: 'reply', argument: '/missing' };
    expect(messageTemplate('{"a":"{{reply:/missing}}"}').fill(valueFor)).toEqual(missing);
    expect(messageTemplate('a {{reply:/missing}}').fill(valueFor)).toEqual(missing);
  });

  it.each([
    ['{{reply:a}}', '{{reply:a}} needs a JSON pointer (RFC 6901) after the colon'],
    ['{{message}}', '{{message}} needs a JSON pointer (RFC 6901) after the colon'],
    ['x'.repeat(1024 * 1024 + 1), 'Message is longer than 1048576 bytes'],
    ['{{reply.1:/a~1b}} {{count}}', undefined],
    [
      '{"key":"{{ secret:key }}"}',
      '"{{ secret:key }}" is not a placeholder, which is written as {{secret:key}} or {{time.ms}}',
    ],
    [
      '{{count}} {{Time.ms}}',
      '"{{Time.ms}}" is not a placeholder, which is written as {{secret:key}} or {{time.ms}}',
    ],
    [
      '{{secret:key}',
      '"{{secret:key}" is not a placeholder, which is written as {{secret:key}} or {{time.ms}}',
    ],
    ['{{{}}} {a}} {{"a":1}} {"a":"{\\u007bcount}}"}', undefined],
  ])('is checked by itself: %.20s', (text, problem) => {
    expect(messageText.check(text)).toBe(problem);
  });
});
