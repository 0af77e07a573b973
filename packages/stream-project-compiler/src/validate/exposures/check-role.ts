import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { textAt } from '../../parse/known-value.ts';
import type { ResolvedExposure } from '../../resolve/resolved-project.ts';
import { findingAt, wordsOf } from '../finding-at.ts';
import { exposureCodes } from './exposure-codes.ts';
import { lists } from './exposure-lists.ts';

/** Reports a role that the lists of an exposure contradict, and an exposure without any. */
export function checkRole({ definition }: ResolvedExposure): readonly Diagnostic[] {
  // An unknown key may be meant for a list
  if (definition.node.hasUnknownKeys === true) return [];
  const role = textAt(definition.node, 'role')?.value;
  const reads = lists(definition, 'consumes');
  const writes = lists(definition, 'produces');
  const words = wordsOf(definition);
  if (!reads && !writes) {
    const message = `${words} lists neither what it reads nor what it writes`;
    const hint = role === 'producer' ? 'add "produces"' : 'add "consumes"';
    return [findingAt(exposureCodes['exposure-unconnected'], definition, { path: ['name'], message, hint })];
  }
  const wrong = role === undefined ? undefined : contradiction(role, reads, writes);
  if (wrong === undefined) return [];
  const message = `${words} has the role "${role}" and ${wrong.what}`;
  return [
    findingAt(exposureCodes['exposure-role'], definition, { path: ['role'], message, hint: wrong.hint }),
  ];
}

interface Contradiction {
  readonly what: string;
  readonly hint: string;
}

function contradiction(role: string, reads: boolean, writes: boolean): Contradiction | undefined {
  const actual = reads && writes ? 'both' : reads ? 'consumer' : 'producer';
  if (role === actual) return undefined;
  const hint = `write "role: ${actual}"`;
  if (role === 'producer' && reads) {
    return { what: writes ? 'reads something too' : 'only reads', hint };
  }
  if (role === 'consumer' && writes) return { what: reads ? 'writes something too' : 'only writes', hint };
  const lacking = reads ? 'produces' : 'consumes';
  return role === 'both' ? { what: `lists no "${lacking}"`, hint: `add it, or ${hint}` } : undefined;
}
