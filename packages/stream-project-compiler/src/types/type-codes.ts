import type { CatalogueEntry } from '../diagnostics/catalogue.ts';

/** Codes of types (411x and 412x). */
export const typeCodes = {
  LV4110: {
    name: 'type-mismatch',
    title: 'An operator or function over types that it does not take',
    severity: 'error',
    doc: 'The engine converts numbers into wider ones, and text into times where both are compared; anything else it refuses when the job is planned. Write CAST or TRY_CAST.',
  },
  LV4111: {
    name: 'unknown-function',
    title: 'A function of another SQL dialect, or a misspelt one',
    severity: 'warning',
    doc: 'The engine has no function of this name. The hint says how the engine writes what is meant. A function that is registered with the cluster may have any name, so this is no error; other unknown names are taken for such functions.',
  },
  LV4112: {
    name: 'argument-count',
    title: 'A function with too few or too many arguments',
    severity: 'error',
    doc: 'The function exists, but not with so many arguments. The message says how many it takes.',
  },
  LV4113: {
    name: 'function-not-on-streams',
    title: 'A function that the engine does not run on streams',
    severity: 'error',
    doc: 'The engine knows the function, but refuses it in jobs over streams, which never see the last row. The hint names what can stand in its place.',
  },
  LV4114: {
    name: 'over-required',
    title: 'A ranking function without OVER',
    severity: 'error',
    doc: 'The function numbers rows, or looks at the rows before, so it needs OVER with an order: `ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts)`.',
  },
} as const satisfies Readonly<Record<`LV${number}`, CatalogueEntry>>;
