import type { ConfigKey } from './config-key.ts';

/** Stands for the number in the name of a row. */
const place = '<n>';

/** Whether a row stands for keys with a number in their names. */
export function isNumbered({ name, prefix }: Pick<ConfigKey, 'name' | 'prefix'>): boolean {
  return prefix === true && name.includes(place);
}

/** What the keys of a prefix row differ in: the rest of the name, or the number in it. Undefined: the key is not one of them. */
export function partOf(row: Pick<ConfigKey, 'name' | 'prefix'>, key: string): string | undefined {
  const [before = '', after] = row.name.split(place, 2);
  if (!key.startsWith(before) || key.length <= before.length) return undefined;
  if (after === undefined) return key.slice(before.length);
  const end = key.length - after.length;
  const number = key.slice(before.length, end);
  return key.endsWith(after) && /^[1-9]\d{0,2}$/.test(number) ? number : undefined;
}

/** The key with a number, counted from 1. */
export function numberedKey({ name }: Pick<ConfigKey, 'name'>, number: number): string {
  return name.replace(place, String(number));
}

/** The name of a numbered row, or of one of its keys, as a pattern that finds the number or what stands for it. */
export function numberedPattern({ name }: Pick<ConfigKey, 'name'>): string {
  const [before = '', after = ''] = name.split(place, 2).map((part) => part.replaceAll(/[^\w]/g, '\\$&'));
  return `${before}(\\d+|${place})${after}`;
}

/** An option of a list as its user writes it: `steps[0].send` for `steps[].send` and the number 1. */
export function numberedOption(option: string, number: string): string {
  return option.replace('[]', number === place ? '[]' : `[${Number(number) - 1}]`);
}
