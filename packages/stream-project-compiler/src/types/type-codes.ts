import type { CodeTable } from '../diagnostics/diagnostic.ts';

/** Codes of types (411x and 412x). */
export const typeCodes = {
  'type-mismatch': {
    code: 'LV4110',
    title: 'An operator or function over types that it does not take',
    severity: 'error',
    doc: 'The engine converts numbers into wider ones, and text into times where both are compared; anything else it refuses when the job is planned. Write CAST or TRY_CAST.',
  },
  'unknown-function': {
    code: 'LV4111',
    title: 'A function that the engine does not have',
    severity: 'error',
    doc: 'The engine has no function of this name. The hint says how the engine writes what is meant, or names the nearest function. Functions that are registered with the engine are listed in `runtime.engine.functions`. It is a warning where no cluster says a `version` and nothing shows what is meant, because it may be such a function. On a cluster of type `managed`, or of a version that is newer than those that are known, and in virtual topics it is a warning, and only where it is clear what is meant.',
  },
  'argument-count': {
    code: 'LV4112',
    title: 'A function with too few or too many arguments',
    severity: 'error',
    doc: 'The function exists, but not with so many arguments. The message says how many it takes.',
  },
  'function-not-on-streams': {
    code: 'LV4113',
    title: 'A function that the engine does not run on streams',
    severity: 'error',
    doc: 'The engine knows the function, but refuses it in jobs over streams, which never see the last row. The hint names what can stand in its place.',
  },
  'over-required': {
    code: 'LV4114',
    title: 'A ranking function without OVER',
    severity: 'error',
    doc: 'The function numbers rows, or looks at the rows before, so it needs OVER with an order: `ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts)`.',
  },
} as const satisfies CodeTable;
