import { nearestName } from '@levada/stream-project-schema';
import { type Call, isModelFunction, type Span } from '@levada/stream-sql';
import {
  type Construct,
  callableNames,
  type EngineDialect,
  engineVersions,
  lacks,
  newestDialect,
  releaseOf,
} from './functions/engine-dialect.ts';
import { foreignFunctions } from './functions/foreign-functions.ts';
import type { TypeContext } from './type-context.ts';

/** Nothing is said of the engine. */
const unsaid: EngineDialect = { ...newestDialect, isKnown: 'no' };

/** Where a call is looked at. */
export type CallContext = Pick<TypeContext, 'dialect' | 'shown' | 'report'>;

/**
 * Reports a function that the engine does not have, or only in a later version. Names in backticks and names with a catalog are
 * those of users. Functions of machine learning are checked with the cluster that they need.
 */
export function checkFunctionName({ name, start, end }: Call, context: CallContext): void {
  const [only, ...more] = name;
  if (only === undefined || more.length > 0 || only.quoted || isModelFunction(only.name)) return;
  const { dialect = unsaid } = context;
  const upper = only.name.toUpperCase();
  const since = releaseOf(upper);
  if ((since !== undefined && since <= dialect.release) || dialect.declared.has(upper)) return;
  if (context.shown !== undefined && context.shown(only) !== only.name) return;
  if (since === undefined) reportUnknown(only.name, { start, end }, context);
  else reportNewer(`function ${only.name}`, engineVersions[since] ?? '', { start, end }, context);
}

/** Reports something of SQL that only later versions of the engine have. */
export function checkConstruct(
  construct: Construct,
  { start, end }: Span,
  context: Pick<TypeContext, 'dialect' | 'report'>,
): void {
  const since = lacks(context.dialect ?? unsaid, construct);
  if (since !== undefined) reportNewer(construct, since, { start, end }, context);
}

function reportUnknown(name: string, span: Span, { dialect = unsaid, report }: CallContext): void {
  const hint = hintFor(name.toUpperCase(), dialect);
  if (hint === undefined && dialect.isKnown === 'no') return;
  // Without a version it may be a function of users that nobody listed
  const isSure = dialect.isKnown === 'stated' || (dialect.isKnown === 'supposed' && hint !== undefined);
  report?.({
    name: 'unknown-function',
    message: `function ${name}, which the engine does not have`,
    hint: hint ?? 'list it in "runtime.engine.functions" if it is registered with the engine',
    ...(isSure ? {} : { unsure: true }),
    ...span,
  });
}

function hintFor(name: string, dialect: EngineDialect): string | undefined {
  const foreign = foreignFunctions.get(name);
  if (foreign !== undefined) return foreign;
  const meant = nearestName(name, callableNames(dialect));
  return meant === undefined ? undefined : `did you mean ${meant}?`;
}

function reportNewer(
  what: string,
  since: string,
  span: Span,
  { dialect = unsaid, report }: Pick<TypeContext, 'dialect' | 'report'>,
): void {
  report?.({
    name: 'later-version',
    message: `${what}, which the engine has since version ${since}, and ${dialect.says ?? 'this one is older'}`,
    hint: 'write it in another way, or correct "version" of the cluster',
    ...span,
  });
}
