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
    title: 'A function that the engine does not have',
    severity: 'error',
    doc: 'The engine has no function of this name. The hint says how the engine writes what is meant, or names the nearest function. Functions that are registered with the engine are listed in `runtime.engine.functions`. It is a warning where no cluster says a `version` and nothing shows what is meant, because it may be such a function. On a cluster of type `managed`, or of a version that is newer than those that are known, and in virtual topics it is a warning, and only where it is clear what is meant.',
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
