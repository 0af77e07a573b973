// This file makes suites and is none.
import type { ConfigIssue, ConfigKey } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';

type Options = Readonly<Record<string, unknown>>;

/** A source whose options are given wrongly. */
export interface SourceWithOptions {
  readonly factory: ((options: never) => object) & { readonly fromConfig: (raw: never) => object };
  readonly name: string;
  readonly keys: readonly ConfigKey[];
  /** Options with which nothing is wrong. */
  readonly sound: Options;
  /** The same as the configuration that REST takes. */
  readonly soundConfig: Readonly<Record<string, string>>;
}

/** Values that no option of a type may have, and values that many may not. */
const wrongValues: Readonly<
  Record<string, { readonly never: readonly unknown[]; readonly seldom: readonly unknown[] }>
> = {
  number: { never: ['12', 1.5, Number.NaN, 1e30, null, {}], seldom: [-5, 0, 1e12] },
  boolean: { never: ['yes', 1, null], seldom: [] },
  list: { never: [{}, 5, [{}], null], seldom: [['???'], [''], [' ']] },
  text: { never: [5, true, null], seldom: ['', ' ', '???', '{', {}, new URL('https://h/')] },
};

/** Wording of Kafka Connect, of Java, and of programs that speak of themselves. */
const strange =
  /\bconfiguration\b|Invalid value|\b(?:String|Value|List) must|of type [A-Z]+|Missing required|Expected value|non-(?:null|empty|blank)|undefined|\[object/;

/** Tests that problems of options are named as their user wrote them, once, and in words that need no knowledge of REST. */
export function describeOptionProblems(source: SourceWithOptions): void {
  const rows = source.keys.filter(({ option }) => option !== undefined);
  // Names of keys that are those of no option.
  const keys = source.keys.map(({ name }) => name).filter((name) => /\w\.\w/.test(name));
  const options = new Set(rows.map(({ option }) => option));

  describe(`the problems of options of ${source.name}`, () => {
    it.each(rows.map((row) => [row.option, row] as const))(
      'are named in their own words: %s',
      (option = '', row) => {
        const { never, seldom } = wrongValues[kindOf(row)] as (typeof wrongValues)[string];
        for (const value of never) {
          if (takes(row, value)) continue;
          expect(issuesOf(source, option, value), `${option}: ${String(value)}`).not.toEqual([]);
        }
        for (const value of [...never, ...seldom])
          for (const issue of issuesOf(source, option, value)) expectPlain(issue);
      },
    );

    it('name the nearest option for one that is unknown', () => {
      for (const { option = '' } of rows.filter((row) => (row.option?.length ?? 0) > 3)) {
        const slip = `${option.slice(0, -2)}${option.at(-1)}${option.at(-2)}`;
        if (options.has(slip) || option.at(-1) === option.at(-2)) continue;
        const messages = issuesOf(source, slip, 'x').map(({ message }) => message);
        expect(messages.join('\n')).toMatch(/ is not an option, did you mean \w/);
      }
    });

    it('are found in the configuration of REST, too: keys that nothing reads', () => {
      for (const { name } of source.keys.filter((key) => key.prefix !== true && !/[#<*]/.test(key.name))) {
        const slip = `${name}x`;
        const raw = { ...source.soundConfig, [slip]: '1' };
        expect(() => source.factory.fromConfig(raw as never)).toThrow(`${slip} is not a key, did you mean `);
      }
    });
  });

  function expectPlain({ key, message }: ConfigIssue): void {
    expect(message).not.toMatch(strange);
    expect(keys.filter((name) => message.includes(name) && !options.has(name))).toEqual([]);
    const named =
      message.split(new RegExp(`(?<![\\w.])${key.replaceAll(/\W/g, '\\$&')}(?![\\w.]*\\w)`)).length - 1;
    // One word may also be meant as such: "descriptor: ... of a descriptor set".
    const isNamedOnce = /[.A-Z]/.test(key)
      ? named === 1
      : message.startsWith(key) && !message.startsWith(`${key}: ${key}`);
    expect([isNamedOnce, message]).toEqual([true, message]);
  }
}

function kindOf({ type, prefix, option = '' }: ConfigKey): string {
  // Values by name.
  if (prefix === true && !option.includes('[]')) return 'boolean';
  if (['int', 'short', 'long', 'double'].includes(type)) return 'number';
  return type === 'boolean' || type === 'list' ? type : 'text';
}

/** Whether an option takes a value of another type than its own. */
function takes(row: ConfigKey, value: unknown): boolean {
  return row.type === 'double' && value === 1.5;
}

function issuesOf(
  { factory, sound }: SourceWithOptions,
  option: string,
  value: unknown,
): readonly ConfigIssue[] {
  try {
    factory(withOption(sound, option, value) as never);
    return [];
  } catch (thrown) {
    if (typeof thrown !== 'object' || thrown === null || !('issues' in thrown)) throw thrown;
    return thrown.issues as readonly ConfigIssue[];
  }
}

/** `a.b` is the member b of a, and `a[].b` that of the first item of a. */
function withOption(sound: Options, option: string, value: unknown): Options {
  const [, group = option, list, member] = /^(\w+)(\[\])?\.(\w+)$/.exec(option) ?? [];
  if (member === undefined) return { ...sound, [option]: value };
  const present = sound[group];
  const members = { ...(typeof present === 'object' ? present : {}), [member]: value };
  return { ...sound, [group]: list === undefined ? members : [members] };
}
