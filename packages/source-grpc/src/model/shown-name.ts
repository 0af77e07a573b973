import { printable } from '@levada/connect-runtime-core/source-kit';

/** Longest name that an error shows. */
const MAX_SHOWN = 80;

const print = printable([]);

/** A name out of a descriptor in quotes, fit for an error: cut and escaped. */
export function shownName(name: string): string {
  return `"${print(name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}...` : name)}"`;
}
