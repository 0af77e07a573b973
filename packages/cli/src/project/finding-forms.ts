/** Forms in which findings can be printed. */
export const findingForms = ['text', 'json', 'sarif', 'github', 'junit'] as const;

/** One of {@link findingForms}. */
export type FindingForm = (typeof findingForms)[number];
