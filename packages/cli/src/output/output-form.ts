/** Forms in which data can be printed. */
export const outputForms = ['table', 'json', 'yaml'] as const;

/** One of {@link outputForms}. */
export type OutputForm = (typeof outputForms)[number];
