/** What JSON of this package says in `schema`; a number after the "/" that grows when a reader could break. */
export const outputShapes = {
  list: 'levada.project-list/1',
  code: 'levada.project-code/1',
  dev: 'levada.project-dev/1',
  column: 'levada.project-column/1',
} as const;
