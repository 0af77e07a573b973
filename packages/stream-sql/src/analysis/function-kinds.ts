/** Functions over many rows, by kind. */
const KINDS = {
  window: [
    'TUMBLE',
    'HOP',
    'SESSION',
    'CUMULATE',
    'TUMBLE_START',
    'TUMBLE_END',
    'TUMBLE_ROWTIME',
    'TUMBLE_PROCTIME',
    'HOP_START',
    'HOP_END',
    'HOP_ROWTIME',
    'HOP_PROCTIME',
    'SESSION_START',
    'SESSION_END',
    'SESSION_ROWTIME',
    'SESSION_PROCTIME',
  ],
  aggregate: [
    'ANY_VALUE',
    'APPROX_COUNT_DISTINCT',
    'ARRAY_AGG',
    'ARRAY_CONCAT_AGG',
    'AVG',
    'BIT_AND',
    'BIT_OR',
    'BIT_XOR',
    'COLLECT',
    'CORR',
    'COUNT',
    'COVAR_POP',
    'COVAR_SAMP',
    'EVERY',
    'FIRST_VALUE',
    'FUSION',
    'GROUPING',
    'GROUPING_ID',
    'GROUP_CONCAT',
    'GROUP_ID',
    'INTERSECTION',
    'JSON_ARRAYAGG',
    'JSON_OBJECTAGG',
    'LAST_VALUE',
    'LISTAGG',
    'MAX',
    'MIN',
    'MODE',
    'PERCENTILE',
    'PERCENTILE_CONT',
    'PERCENTILE_DISC',
    'REGR_COUNT',
    'REGR_SXX',
    'REGR_SYY',
    'SINGLE_VALUE',
    'SOME',
    'STDDEV',
    'STDDEV_POP',
    'STDDEV_SAMP',
    'STRING_AGG',
    'SUM',
    'SUM0',
    'VARIANCE',
    'VAR_POP',
    'VAR_SAMP',
  ],
  over: [
    'CUME_DIST',
    'DENSE_RANK',
    'LAG',
    'LEAD',
    'NTH_VALUE',
    'NTILE',
    'PERCENT_RANK',
    'RANK',
    'ROW_NUMBER',
  ],
} as const;

export type FunctionKind = keyof typeof KINDS;

const BY_NAME: ReadonlyMap<string, FunctionKind> = new Map(
  (Object.keys(KINDS) as FunctionKind[]).flatMap((kind) =>
    KINDS[kind].map((name): [string, FunctionKind] => [name, kind]),
  ),
);

/** The kind of a built-in function; case does not matter. Undefined for a function of single rows. */
export function functionKind(name: string): FunctionKind | undefined {
  return BY_NAME.get(name.toUpperCase());
}

/** Whether a function of this name applies a machine-learning model. */
export function isModelFunction(name: string): boolean {
  return /^ML_/i.test(name);
}
