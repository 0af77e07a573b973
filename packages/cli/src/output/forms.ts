/** Forms in which findings can be printed. */
export const findingForms = ['text', 'json', 'sarif', 'github', 'junit'] as const;

export type FindingForm = (typeof findingForms)[number];

/** Forms in which a list of nodes can be printed. */
export const listForms = ['table', 'json', 'name'] as const;

export type ListForm = (typeof listForms)[number];

/** Forms in which lineage can be printed. */
export const lineageForms = ['text', 'mermaid', 'dot', 'json'] as const;

export type LineageForm = (typeof lineageForms)[number];

/** Projects that `levada project init` can write, each a folder in `templates/`. */
export const templateNames = ['payments', 'minimal'] as const;

/** Forms in which data can be printed. */
export const outputForms = ['table', 'json', 'yaml'] as const;

export type OutputForm = (typeof outputForms)[number];
