import { type Diagnostic, entryOf } from '../../src/index.ts';
import type { CorpusDiagnostic, CorpusProject } from '../project-support/corpus.ts';
import { divergences } from './divergences.ts';
import { namesOf } from './kind-names.ts';

/** Where what was found differs from what the corpus expects; everything is empty when they agree. */
export interface Disagreement {
  /** Findings that the corpus expects and that were not reported. */
  readonly missing: readonly string[];
  /** Errors that the corpus neither expects nor allows, as people would look for them. */
  readonly surplus: readonly string[];
  /** Present when the verdict is not that of the corpus, errors that it allows aside. */
  readonly valid?: boolean;
}

/** Compares the findings of a project with what the corpus expects of it. */
export function compareOutcome(project: CorpusProject, found: readonly Diagnostic[]): Disagreement {
  const errors = found.filter(({ severity }) => severity === 'error');
  const missing = project.diagnostics.filter((expected) => !errors.some((one) => answers(one, expected)));
  const counted = errors.filter((one) => !isAllowed(project, one));
  const surplus = counted.filter((one) => !project.diagnostics.some((expected) => answers(one, expected)));
  const valid = counted.length === 0;
  return {
    missing: missing.map(({ kind, rule = '', object, path = '' }) =>
      [kind, rule, object, path].join(' ').replaceAll(/ +/g, ' '),
    ),
    surplus: surplus.map(describe),
    ...(valid === project.valid ? {} : { valid }),
  };
}

/** A finding in one line. */
function describe({ code, object, path, range, message, hint }: Diagnostic): string {
  const place = `${range.file}:${range.start.line}:${range.start.column}`;
  const more = hint === undefined ? '' : ` (${hint})`;
  return `${code} ${entryOf(code).name} ${object} ${path} at ${place}: ${message}${more}`;
}

function answers(found: Diagnostic, expected: CorpusDiagnostic): boolean {
  if (!namesOf(expected).includes(entryOf(found.code).name)) return false;
  if (found.object !== expected.object) return false;
  if (expected.path !== undefined && found.path !== expected.path) return false;
  return expected.name === undefined || found.message.includes(`"${expected.name}"`);
}

/** `kind` or `kind:detail`, the detail a rule or a path. */
function isAllowed({ id, may = [] }: CorpusProject, found: Diagnostic): boolean {
  const { name } = entryOf(found.code);
  if (divergences[id]?.also.includes(name) === true) return true;
  return may.some((entry) => {
    const [kind = '', detail] = entry.split(':');
    const rule = kind === 'rule' && detail !== undefined ? { rule: detail } : {};
    if (!namesOf({ kind, ...rule }).includes(name)) return false;
    return detail === undefined || kind === 'rule' || found.path.replaceAll(/\[\d+\]/g, '[]') === detail;
  });
}
