import { formatPath, parsePath } from '@levada/stream-project-schema';
import type { ParsedSql } from '@levada/stream-sql';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type TextNode, textAt } from '../parse/known-value.ts';
import { type CheckReferences, referenceChecker } from '../resolve/check-references.ts';
import { parseLeafSql } from '../resolve/model-sql.ts';
import { nodeId } from '../resolve/node-id.ts';
import { isReplaced, type ValuePlaces, valuePlaces } from '../resolve/place-in-file.ts';
import { projectSymbols } from '../resolve/project-symbols.ts';
import type { Reference } from '../resolve/reference.ts';
import type { ResolvedProject } from '../resolve/resolved-project.ts';
import type { PlacedAssertion } from './assertion.ts';

/** The query of a `custom_sql`, read. */
export interface CustomSql extends ValuePlaces {
  readonly leaf: TextNode;
  /** With its variables replaced. */
  readonly text: string;
  /** `{{ model }}`, the model or source under test, is a table of which {@link isModelUnderTest} holds. */
  readonly parsed: ParsedSql;
}

/** Reads the query of an assertion; undefined where there is none. */
export function readCustomSql({ test, node }: PlacedAssertion): CustomSql | undefined {
  const leaf = textAt(node, 'sql');
  if (leaf === undefined) return undefined;
  const places = valuePlaces(test.definition, leaf);
  const parsed = parseLeafSql(withTableName(leaf.value), leaf, places.rangeOf);
  return { leaf, text: leaf.value, parsed, ...places };
}

/** Strings, quoted names and comments, or the macro. Each can end in one way only, so the search takes linear time. */
const pieces =
  /'[^']*(?:'|$)|`[^`]*(?:`|$)|--[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|\{#[\s\S]*?(?:#\}|$)|(\{\{[-+]?\s*model\s*[-+]?\}\})/g;

const name = '{model}';

/** The macro as a quoted name of the same length, so that every place stays what it is. */
function withTableName(text: string): string {
  return text.replaceAll(pieces, (piece: string, macro: string | undefined) =>
    macro === undefined ? piece : `\`${name.padEnd(macro.length - 2)}\``,
  );
}

/** Whether a table is the one that `{{ model }}` stands for. */
export function isModelUnderTest(table: string): boolean {
  return table.trimEnd() === name;
}

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
