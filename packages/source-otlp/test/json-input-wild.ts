// JSON text of an object as odd as JSON allows, with the same meaning.
import type { Random } from './random-request.ts';

/** White space anywhere, characters as escapes, members in any order, twice, and unknown ones between them. */
export function wildJson(value: unknown, random: Random): string {
  const space = (): string => (random(4) === 0 ? (SPACES[random(SPACES.length)] as string) : '');
  const text = (): string => {
    if (Array.isArray(value)) return `[${value.map((item) => wildJson(item, random)).join(',') || space()}]`;
    if (typeof value === 'string') return wildString(value, random);
    if (Object.is(value, -0)) return '-0';
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return `{${wildMembers(value, random).join(',') || space()}}`;
  };
  return space() + text() + space();
}

const SPACES = [' ', '\n', '\t', '\r\n', '        '];
const UNKNOWN = [
  '"schemaURL":[[],{},"x",{"a":null}]',
  '"":0',
  '"trace_id":-1.5e-3',
  '"__proto__":{"polluted":true}',
  '"\\ud83d\\ude00":false',
  '"values_":[{"stringValue":1}]',
];

function wildMembers(object: object, random: Random): string[] {
  const members = Object.entries(object).map(
    ([key, value]) => `${wildString(key, random)}${random(9) === 0 ? ' ' : ''}:${wildJson(value, random)}`,
  );
  for (let at = members.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [members[at], members[other]] = [members[other] as string, members[at] as string];
  }
  const earlier = Object.entries(object)
    .filter(() => random(10) === 0)
    .map(([key, value]) => `"${key}":${random(2) === 0 ? 'null' : emptied(value)}`);
  if (random(6) === 0)
    members.splice(random(members.length + 1), 0, UNKNOWN[random(UNKNOWN.length)] as string);
  return [...earlier, ...members];
}

/** Another value of the same kind. */
function emptied(value: unknown): string {
  if (Array.isArray(value)) return '[]';
  return typeof value === 'object' ? '{}' : JSON.stringify(value);
}

function wildString(text: string, random: Random): string {
  const plain = JSON.stringify(text);
  if (random(4) > 0) return plain;
  const units = Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at).toString(16).padStart(4, '0'),
  );
  if (random(2) === 0)
    return `"${units.map((unit) => `\\u${random(2) ? unit : unit.toUpperCase()}`).join('')}"`;
  return plain.replaceAll('/', '\\/');
}
