import { pairItems } from './pair-parts.ts';
import { type StateFact, type StateValue, stateFacts } from './state-facts.ts';
import type { StatePart } from './state-part.ts';
import {
  addedSentence,
  changedSentences,
  keepsSentence,
  movedSentence,
  removedSentence,
} from './state-sentences.ts';

/** The state of a job as `jobs/<name>.json` has it. */
export interface JobState {
  readonly engine_version: string;
  readonly models: readonly ModelState[];
}

/** The state of a model. */
export interface ModelState {
  readonly model: string;
  readonly state: readonly StatePart[];
}

/** A part of a job by the names that it has before a change. */
export interface PartName {
  readonly model: string;
  readonly part: string;
}

/**
 * Why state is lost. `engine`: another version, for whose SQL the engine promises nothing. `numbering`: operators are added, removed or
 * exchanged, and the engine finds the state of each by its place among all. `types`: the engine refuses to restore other keys or types.
 * `meaning`: the engine would restore the part, and its rows would be wrong. `ttl`: before 2.2 the engine refuses to restore state that
 * is removed after a time as state that is not, and the other way round.
 */
export type LossReason = 'engine' | 'numbering' | 'types' | 'meaning' | 'ttl';

/** A difference between the states of two jobs. */
export interface StateDifference {
  readonly change: 'engine' | 'added' | 'removed' | 'moved' | 'changed';
  /** Absent for the engine of the job. */
  readonly model?: string;
  /** Absent for a whole model. */
  readonly part?: string;
  readonly kind?: StatePart['kind'];
  /** Of `changed`: which fact of the part, such as `size_ms`, `keys` or `left.columns`. Absent where only its fingerprint differs. */
  readonly fact?: string;
  readonly before?: StateValue;
  readonly after?: StateValue;
  /** The difference in words, without a full stop. Names are in backticks. */
  readonly sentence: string;
  /** Whether the engine restores all parts all the same. */
  readonly state: 'kept' | 'lost';
  /** Of `lost`. */
  readonly because?: LossReason;
  /** The parts of the earlier job that are lost. */
  readonly loses: readonly PartName[];
}

/**
 * What differs in the state of a job, and what of it the engine cannot restore: none of the parts that `loses` names, which is said too
 * often rather than too rarely. An empty list, or one of differences that keep state, says that all of it is restored. Files of jobs
 * can be compared as they are.
 */
export function compareState(before: JobState, after: JobState): readonly StateDifference[] {
  const all = before.models.flatMap(({ model, state }) => state.map(({ name }) => ({ model, part: name })));
  const isSame = (one: ModelState, other: ModelState) =>
    one.state.length === other.state.length &&
    one.state.every(({ fingerprint }, index) => fingerprint === other.state[index]?.fingerprint);
  const { pairs, removed, added, moved } = pairItems(before.models, after.models, [
    (one, other) => one.model === other.model,
    isSame,
  ]);
  const numbering = { state: 'lost', because: 'numbering', loses: all } as const;
  const words = (model: string, what: string) =>
    `the job ${what}: its operators are numbered differently`.replace('{}', `\`${model}\``);
  return [
    ...engineDifference(before, after, all),
    ...removed.map(({ model }) => ({
      change: 'removed' as const,
      model,
      sentence: words(model, 'computes {} no longer'),
      ...numbering,
    })),
    ...added.map(({ model }) => ({
      change: 'added' as const,
      model,
      sentence: words(model, 'computes {} as well'),
      ...numbering,
    })),
    ...pairs.flatMap(([one, other]) => [
      ...(moved.has(other)
        ? [
            {
              change: 'moved' as const,
              model: other.model,
              sentence: words(other.model, 'computes {} in another place'),
              ...numbering,
            },
          ]
        : []),
      ...compareModels(one, other, { all, version: after.engine_version }),
    ]),
  ];
}

function engineDifference(
  before: JobState,
  after: JobState,
  all: readonly PartName[],
): readonly StateDifference[] {
  const [one, other] = [before.engine_version, after.engine_version];
  if (minorOf(one).join('.') === minorOf(other).join('.')) return [];
  return [
    {
      change: 'engine',
      before: one,
      after: other,
      sentence: `the engine of the job went from ${one} to ${other}, which promises nothing for the state of SQL`,
      state: 'lost',
      because: 'engine',
      loses: all,
    },
  ];
}

function minorOf(version: string): readonly [number, number] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return [major, minor];
}

interface JobFacts {
  readonly all: readonly PartName[];
  /** Of the engine that is to restore it. */
  readonly version: string;
}

function compareModels(before: ModelState, after: ModelState, job: JobFacts): readonly StateDifference[] {
  const { model } = after;
  const { pairs, removed, added, moved } = pairItems(before.state, after.state, [
    (one, other) => one.fingerprint === other.fingerprint && one.name === other.name,
    (one, other) => one.fingerprint === other.fingerprint,
    (one, other) => one.kind === other.kind && one.name === other.name,
    (one, other) => one.kind === other.kind,
    (one, other) => isJoin(one) && isJoin(other),
  ]);
  const numbering = { state: 'lost', because: 'numbering', loses: job.all } as const;
  const of = (change: StateDifference['change'], { name, kind }: StatePart, sentence: string) => ({
    change,
    model,
    part: name,
    kind,
    sentence: `${sentence}: its operators are numbered differently`,
    ...numbering,
  });
  const earlier = new Map(pairs.map(([one, other]) => [other, one]));
  const isNumbered = removed.length > 0 || added.length > 0;
  return [
    ...removed.map((part) => of('removed', part, removedSentence(model, part))),
    ...after.state.flatMap((part) => {
      const one = earlier.get(part);
      if (one === undefined) return of('added', part, addedSentence(model, part));
      const found = compareParts({ one, other: part, model, from: before.model, isNumbered }, job);
      return moved.has(part) ? [of('moved', part, movedSentence(model, part)), ...found] : found;
    }),
  ];
}

function isJoin({ kind }: StatePart): boolean {
  return kind.endsWith('join');
}

interface PartPair {
  readonly one: StatePart;
  readonly other: StatePart;
  readonly model: string;
  /** Name of the model before. */
  readonly from: string;
  /** Parts were added or removed, so that others have other names. */
  readonly isNumbered: boolean;
}

function compareParts(pair: PartPair, job: JobFacts): readonly StateDifference[] {
  const { one, other, model, from } = pair;
  const loses = [{ model: from, part: one.name }];
  const shared = { change: 'changed' as const, model, part: other.name, kind: other.kind };
  const kept = compareKeeping(pair, job);
  if (one.fingerprint === other.fingerprint) return kept;
  const found = new Map<string, StateDifference>();
  for (const [fact, before, after] of changedFacts(one, other)) {
    const isInput = /^(?:inputs|(?:left|right)\.from)$/.test(fact);
    if (isInput && pair.isNumbered) continue;
    for (const { sentence, isTyped } of changedSentences({ model, part: other, fact, before, after })) {
      found.set(sentence, {
        ...shared,
        fact,
        ...(before === undefined ? {} : { before: before.value }),
        ...(after === undefined ? {} : { after: after.value }),
        sentence,
        state: 'lost',
        because: isInput ? 'numbering' : isTyped ? 'types' : 'meaning',
        loses: isInput ? job.all : loses,
      });
    }
  }
  if (one.kind !== other.kind || found.size === 0) {
    const sentence =
      one.kind === other.kind
        ? `the ${other.name} of \`${model}\` computes something else`
        : `the ${one.name} of \`${model}\` is a ${other.name} now`;
    found.set(sentence, { ...shared, sentence, state: 'lost', because: 'meaning', loses });
  }
  return [...found.values(), ...kept];
}

function changedFacts(
  one: StatePart,
  other: StatePart,
): readonly (readonly [string, StateFact | undefined, StateFact | undefined])[] {
  const [before, after] = [one, other].map(
    (part) => new Map(stateFacts(part).map((fact) => [fact.fact, fact])),
  ) as [Map<string, StateFact>, Map<string, StateFact>];
  const text = (fact: StateFact | undefined) => JSON.stringify([fact?.value, [...(fact?.types ?? [])]]);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((fact) =>
    text(before.get(fact)) === text(after.get(fact))
      ? []
      : [[fact, before.get(fact), after.get(fact)] as const],
  );
}

/** How long a part keeps what nothing uses. */
function compareKeeping(
  { one, other, model, from }: PartPair,
  { version }: JobFacts,
): readonly StateDifference[] {
  if (one.keeps === other.keeps && one.ttl_ms === other.ttl_ms) return [];
  const [major, minor] = minorOf(version);
  const isIdle = [one.keeps, other.keeps].every((keeps) => keeps === 'ttl' || keeps === 'forever');
  const isRestored = one.keeps === other.keeps || (isIdle && (major > 2 || (major === 2 && minor >= 2)));
  const fact = one.keeps === other.keeps ? 'ttl_ms' : 'keeps';
  return [
    {
      change: 'changed',
      model,
      part: other.name,
      kind: other.kind,
      fact,
      before: (fact === 'keeps' ? one.keeps : one.ttl_ms) ?? '',
      after: (fact === 'keeps' ? other.keeps : other.ttl_ms) ?? '',
      sentence: keepsSentence(model, one, other),
      ...(isRestored
        ? { state: 'kept', loses: [] }
        : { state: 'lost', because: isIdle ? 'ttl' : 'meaning', loses: [{ model: from, part: one.name }] }),
    },
  ];
}
