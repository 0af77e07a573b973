import { formatPath, parsePath } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { type CheckReferences, referenceChecker } from '../../../resolve/check-references.ts';
import { nodeId } from '../../../resolve/node-id.ts';
import { isReplaced } from '../../../resolve/place-in-file.ts';
import { projectSymbols } from '../../../resolve/project-symbols.ts';
import type { Reference } from '../../../resolve/reference.ts';
import type { ResolvedProject } from '../../../resolve/resolved-project.ts';
import type { PlacedAssertion } from '../assertions/placed-assertion.ts';
import type { CustomSql } from './custom-sql.ts';

/** The names of a project, for the queries of its tests. */
export interface SqlNames {
  /** Reports macros that name nothing. */
  readonly check: (assertion: PlacedAssertion, sql: CustomSql) => readonly Diagnostic[];
}

/** Reads the names of a project once, and only when a test has a query. */
export function sqlNames(project: ResolvedProject): SqlNames {
  let check: CheckReferences | undefined;
  return {
    check: (assertion, sql) => {
      if (!project.parsed.complete) return [];
      check ??= referenceChecker(projectSymbols(project.parsed));
      return check(assertion.test.definition, macroReferences(project, assertion, sql));
    },
  };
}

/** The macros of a query, each name once. */
function macroReferences(
  { models, sources }: ResolvedProject,
  { test: { definition }, path }: PlacedAssertion,
  { leaf, parsed, rangeOf, writtenAt }: CustomSql,
): readonly Reference[] {
  const found = new Map<string, Reference>();
  for (const { macro, name, nameStart: start, nameEnd: end } of parsed.macros) {
    // A name with white space around it was reported
    if (name === '' || name !== name.trim() || found.has(`${macro} ${name}`)) continue;
    const kind = macro === 'ref' ? 'model' : 'source';
    const isThere = (macro === 'ref' ? models : sources).has(name);
    found.set(`${macro} ${name}`, {
      kind,
      name,
      use: 'sql',
      target: isThere ? nodeId(kind, name) : undefined,
      path: formatPath([...parsePath(definition.path), ...path, 'sql']),
      range: () => rangeOf({ start, end }),
      shown: isReplaced(leaf) ? writtenAt({ start, end }) : name,
    });
  }
  return [...found.values()];
}
