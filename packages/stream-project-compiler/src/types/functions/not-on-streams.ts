/** Functions that the engine knows but refuses over streams, and what to do instead. */
export const notOnStreams: ReadonlyMap<string, string> = new Map([
  ['APPROX_COUNT_DISTINCT', 'write COUNT(DISTINCT ...)'],
  ['CUME_DIST', 'count rows with COUNT(*) OVER (...)'],
  ['LEAD', 'write LAG, or MATCH_RECOGNIZE to look at rows that follow'],
  ['NTILE', 'number rows with ROW_NUMBER() OVER (...)'],
  ['PERCENT_RANK', 'number rows with ROW_NUMBER() OVER (...)'],
]);
