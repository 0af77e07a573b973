import { diagnosticsJson, type ProjectReport, projectManifest } from '../../src/index.ts';

/** All that a report says, as lines of JSON: findings, graph, artifacts, columns with their origins and places, event times. */
export function snapshotOf({ valid, diagnostics, project }: ProjectReport): string {
  const facts = {
    valid,
    diagnostics: diagnosticsJson(diagnostics),
    manifest: projectManifest(project),
    materialized: [...project.materialized],
    columns: [...project.columns].map(([node, { columns, incomplete, influences }]) => ({
      node,
      columns: columns.map(({ range, ...column }) => ({ ...column, range: range() })),
      incomplete,
      influences,
    })),
    eventTimes: [...project.eventTimes],
  };
  return JSON.stringify(facts, undefined, 1);
}
