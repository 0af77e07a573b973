import type { CodeTable } from '../diagnostics/diagnostic.ts';

/** Codes of types (411x and 412x). */
export const typeCodes = {
  'type-mismatch': {
    code: 'LV4110',
    title: 'Operands of unsupported types',
    severity: 'error',
    doc: 'The engine converts numbers into wider ones, and text into times where both are compared; it rejects anything else when the job is planned. Write CAST or TRY_CAST.',
  },
  'unknown-function': {
    code: 'LV4111',
    title: 'Unknown function',
    severity: 'error',
    doc: 'The engine has no function of this name. The hint shows the equivalent of the engine, or names the nearest function. Functions that are registered with the engine are listed in `runtime.engine.functions`. It is only a warning if no cluster has a `version` and the intended function is not clear, because it may be such a function. On a cluster of type `managed`, or of a version that is newer than those that are known, and in virtual topics it is a warning, and only if the intended function is clear.',
  },
  'argument-count': {
    code: 'LV4112',
    title: 'Wrong number of arguments',
    severity: 'error',
    doc: 'The function exists, but not with this number of arguments. The message says how many it takes.',
  },
  'function-not-on-streams': {
    code: 'LV4113',
    title: 'Function not supported on streams',
    severity: 'error',
    doc: 'The engine has the function, but rejects it in jobs over streams, which have no last row. The hint names an alternative.',
  },
  'over-required': {
    code: 'LV4114',
    title: 'Ranking function without OVER',
    severity: 'error',
    doc: 'The function numbers rows, or looks at the rows before, so it needs OVER with an order: `ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts)`.',
  },
} as const satisfies CodeTable;
