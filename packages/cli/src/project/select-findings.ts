import { isValid, type ProjectReport } from '@levada/stream-project-compiler';
import type { Terminal } from '../terminal.ts';
import { type PartOptions, selectPart } from './select-part.ts';

/** A report with the findings of a part only, its tests among them. What is no source, model, test or exposure stays. */
export function selectFindings(
  report: ProjectReport,
  options: PartOptions,
  terminal: Terminal,
): ProjectReport {
  const { select = [], exclude = [] } = options;
  if (select.length === 0 && exclude.length === 0) return report;
  const selected: ReadonlySet<string> = new Set(selectPart(report.project, options, terminal).byId.keys());
  const { tests, sources, models, exposures } = report.project.resolved;
  const left = new Set<string>();
  for (const [kind, names] of Object.entries({ source: sources, model: models, exposure: exposures })) {
    for (const name of names.keys()) if (!selected.has(`${kind}:${name}`)) left.add(`${kind}:${name}`);
  }
  for (const { name, target } of tests.values()) {
    if (target !== undefined && !selected.has(target)) left.add(`test:${name}`);
  }
  const diagnostics = report.diagnostics.filter(({ object }) => !left.has(object));
  return { ...report, diagnostics, valid: isValid(diagnostics) };
}
