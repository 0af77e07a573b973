/** Forms in which findings can be printed. */
export const findingForms = ['text', 'json', 'sarif', 'github', 'junit'] as const;

/** One of {@link findingForms}. */
export type FindingForm = (typeof findingForms)[number];

/** Forms in which a list of nodes can be printed. */
export const listForms = ['table', 'json', 'name'] as const;

/** One of {@link listForms}. */
export type ListForm = (typeof listForms)[number];

/** Forms in which lineage can be printed. */
export const lineageForms = ['text', 'mermaid', 'dot', 'json'] as const;

/** One of {@link lineageForms}. */
export type LineageForm = (typeof lineageForms)[number];

/** Projects that `levada project init` can write, each a folder in `templates/`. */
export const templateNames = ['payments', 'minimal'] as const;

/** What JSON of this package says in `schema`; a number after the "/" that grows when a reader could break. */
export const outputShapes = {
  list: 'levada.project-list/1',
  code: 'levada.project-code/1',
  dev: 'levada.project-dev/1',
  column: 'levada.project-column/1',
} as const;
