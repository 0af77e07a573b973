/** Functions that say nothing without OVER. */
export const overFunctions: ReadonlySet<string> = new Set([
  'CUME_DIST',
  'DENSE_RANK',
  'LAG',
  'LEAD',
  'NTILE',
  'PERCENT_RANK',
  'RANK',
  'ROW_NUMBER',
]);
