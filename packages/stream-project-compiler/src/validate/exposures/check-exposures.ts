import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { textAt } from '../../parse/known-value.ts';
import type { ResolvedExposure } from '../../resolve/resolved-project.ts';
import { at, atReference, finding, named } from '../finding.ts';
import { repeatsOf } from '../repeats.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { testCodes } from '../tests/test-codes.ts';
import { exposureCodes } from './exposure-codes.ts';
import { checkContracts, checkSchedule, checkSla, checkUrl } from './exposure-values.ts';

/** Checks each exposure. */
export const checkExposures: Rule = (context) =>
  [...context.project.resolved.exposures.values()].flatMap((exposure) => [
    ...checkRole(exposure),
    ...checkRepetition(exposure),
    ...checkSla(exposure),
    ...checkConsumerGroup(context, exposure),
    ...checkSchedule(exposure),
    ...checkUrl(exposure),
    ...checkContracts(exposure),
  ]);

/** Reports a role that the lists of an exposure contradict, and an exposure without any. */
function checkRole({ definition }: ResolvedExposure): readonly Diagnostic[] {
  // An unknown key may be meant for a list
  if (definition.node.hasUnknownKeys === true) return [];
  const role = textAt(definition.node, 'role')?.value;
  const reads = lists(definition, 'consumes');
  const writes = lists(definition, 'produces');
  const words = named(definition);
  if (!reads && !writes) {
    const message = `${words} has neither "consumes" nor "produces"`;
    const hint = role === 'producer' ? 'add "produces"' : 'add "consumes"';
    return [finding(exposureCodes['exposure-unconnected'], at(definition, ['name']), { message, hint })];
  }
  const wrong = role === undefined ? undefined : contradiction(role, reads, writes);
  if (wrong === undefined) return [];
  const message = `${words} has the role "${role}", but ${wrong.what}`;
  return [finding(exposureCodes['exposure-role'], at(definition, ['role']), { message, hint: wrong.hint })];
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
    return { what: writes ? 'also reads' : 'only reads', hint };
  }
  if (role === 'consumer' && writes) return { what: reads ? 'also writes' : 'only writes', hint };
  const lacking = reads ? 'produces' : 'consumes';
  return role === 'both' ? { what: `has no "${lacking}"`, hint: `add it, or ${hint}` } : undefined;
}

/** Whether an exposure lists something below a key. What is wrong there was reported, and is something. */
export function lists({ node }: Definition<'exposure'>, key: 'consumes' | 'produces'): boolean {
  const list = node.entries.get(key)?.node;
  return list !== undefined && (list.kind !== 'list' || list.items.length > 0);
}

/** Whether the lists of an exposure are not known: it has no list at all, or keys that may be meant for one. */
export function isOpen(definition: Definition<'exposure'>): boolean {
  if (definition.node.hasUnknownKeys === true) return true;
  return !lists(definition, 'consumes') && !lists(definition, 'produces');
}

/** Reports a consumer group of an exposure that reads no topic. */
function checkConsumerGroup(
  { project }: RuleContext,
  { definition, consumes }: ResolvedExposure,
): readonly Diagnostic[] {
  if (!definition.node.entries.has('consumer_group')) return [];
  const reads = lists(definition, 'consumes');
  // Reported as a whole, or an unknown key is meant for a list
  if (isOpen(definition)) return [];
  const isSink = (name: string) => project.materialized.get(name)?.kind === 'sink';
  if (reads && !consumes.every(({ target, name }) => target?.startsWith('model:') && isSink(name))) return [];
  if (reads && consumes.length === 0) return [];
  const what = reads ? 'consumes only sinks, which have no topic' : 'consumes nothing';
  const message = `"consumer_group" of ${named(definition)} has no effect, because it ${what}`;
  return [
    finding(exposureCodes['consumer-group-without-topic'], at(definition, ['consumer_group'], 'key'), {
      message,
    }),
  ];
}

/** Reports what an exposure lists twice. */
function checkRepetition({ definition, consumes, produces }: ResolvedExposure): readonly Diagnostic[] {
  return [consumes, produces].flatMap((list) =>
    repeatsOf(list, ({ kind, name }) => `${kind} ${name}`).map(({ item, first }) =>
      finding(testCodes['repeated-entry'], atReference(definition, item), {
        message: `${named(definition)}: duplicate entry ${quote(item.shown)} in "${item.use}"`,
        related: [{ message: 'first entry', range: first.range() }],
      }),
    ),
  );
}
