import type { RandomSource } from './random-source.ts';

const NAMES = (
  'id name user_name value a b1 foo_bar_baz HTTPStatus _x x_ class constructor to_string toString __proto__ ' +
  'valueOf length prototype createdAt error_2_text kind_of_thing then case oneof message a_1 a__b Upper_Case'
).split(' ');

/** Names that JSON must escape, that every object has, or that sort like array indexes. */
const ODD_JSON_NAMES = [
  'a"b',
  'back\\slash',
  'tab\there',
  'emoji😀',
  'ünï',
  '\u2028',
  '\u007f',
  '__proto__',
  'toJSON',
  'constructor',
  '1',
  '42',
  '-1',
  'a/b',
  '<&>',
  ' ',
  'x'.repeat(70),
  `ж${'y'.repeat(15)}`,
];

/** The JSON name that compilers give to a field. */
export function defaultJsonName(name: string): string {
  return name.replace(/_+(.?)/g, (_, next: string) => next.toUpperCase());
}

/** Names of one message's fields and oneofs. The names are distinct, and so are their JSON names. */
export interface FieldNames {
  next(): string;
  /** A JSON name for the last field: usually the default, sometimes an odd one. */
  jsonName(name: string): string;
}

export function fieldNames(random: RandomSource, oddShare: number): FieldNames {
  const taken = new Set<string>();
  const isFree = (text: string): boolean => {
    if (taken.has(text.toLowerCase())) return false;
    taken.add(text.toLowerCase());
    return true;
  };
  let count = 0;
  return {
    next: () => {
      count += 1;
      const candidate = random.pick(NAMES);
      const name = isFree(defaultJsonName(candidate))
        ? candidate
        : `f_${count}_${'long_'.repeat(random.below(4))}n`;
      taken.add(defaultJsonName(name).toLowerCase());
      return name;
    },
    jsonName: (name) => {
      const odd = random.pick(ODD_JSON_NAMES);
      return random.chance(oddShare) && isFree(odd) ? odd : defaultJsonName(name);
    },
  };
}
