import type { StateFact } from './state-facts.ts';
import type { StatePart } from './state-part.ts';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
  ['millisecond', 1],
] as const;

/** A duration in the longest unit that divides it: `1 minute`, `90 seconds`. */
function duration(ms: number): string {
  const [unit, length] = units.find(([, length]) => ms > 0 && ms % length === 0) ?? ['millisecond', 1];
  const count = ms / length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** What a part is to people, after "a". */
const words: Readonly<Record<Exclude<StatePart['kind'], 'source' | 'sink'>, string>> = {
  normalize: 'table of latest rows',
  window: 'window',
  group: 'GROUP BY',
  join: 'join',
  interval_join: 'interval join',
  window_join: 'window join',
  temporal_join: 'temporal join',
  rank: 'ranking',
  over: 'computation with OVER',
  match: 'pattern',
  set: 'comparison of whole rows',
  sort: 'sorting',
  function: 'table function',
};

/** A part that is new. */
export function addedSentence(model: string, part: StatePart): string {
  if (part.kind === 'source') return `\`${model}\` reads \`${nodeName(part.node)}\` as well`;
  if (isJoin(part)) return `\`${model}\` joins a table more`;
  if (part.kind === 'sink') return `\`${model}\` writes rows that change`;
  return `\`${model}\` has a ${words[part.kind]} more`;
}

/** A part that is no longer there. */
export function removedSentence(model: string, part: StatePart): string {
  if (part.kind === 'source') return `\`${model}\` reads \`${nodeName(part.node)}\` no longer`;
  if (isJoin(part)) return `\`${model}\` joins a table less`;
  if (part.kind === 'sink') return `\`${model}\` writes rows that are only appended`;
  return `\`${model}\` has a ${words[part.kind]} less`;
}

/** A part whose place is another one. */
export function movedSentence(model: string, part: StatePart): string {
  return `${partOf(model, part)} comes in another place`;
}

/** How long unused state is kept. */
export function keepsSentence(model: string, before: StatePart, after: StatePart): string {
  const text = ({ keeps, ttl_ms: ms }: StatePart) =>
    keeps === 'ttl' && ms !== undefined ? `for ${duration(ms)}` : keeps;
  return `${partOf(model, after)} keeps unused state ${text(after)} (was ${text(before)})`;
}

function isJoin({ kind }: StatePart): boolean {
  return kind.endsWith('join');
}

function nodeName(node: string): string {
  return node.slice(node.indexOf(':') + 1);
}

function partOf(model: string, { name }: StatePart): string {
  return `the ${name} of \`${model}\``;
}

interface Change {
  readonly model: string;
  readonly part: StatePart;
  readonly fact: string;
  readonly before: StateFact | undefined;
  readonly after: StateFact | undefined;
}

interface Said {
  readonly sentence: string;
  /** Keys or types are other ones, which the engine refuses to restore. */
  readonly isTyped: boolean;
}

/** What changed in a fact of a part. */
export function changedSentences(change: Change): readonly Said[] {
  const { fact, before, after, part, model } = change;
  const name = fact.replace(/^(?:left|right)\./, '');
  if (name === 'keys' || name === 'columns' || name === 'aggregates') return listSentences(change, name);
  const of = partOf(model, part);
  const [one, other] = [text(before), text(after)];
  return [{ sentence: scalar(), isTyped: false }];

  function scalar(): string {
    if (fact.endsWith('_ms')) return lengthSentence(change);
    if (fact === 'topic') return `\`${model}\` reads the topic ${other} (was ${one})`;
    if (fact === 'node') return `\`${model}\` reads ${other} (was ${one})`;
    if (fact === 'window') return `${of} went from ${plain(before)} to ${plain(after)}`;
    if (fact === 'time') return `${of} takes its time from ${other} (was ${one})`;
    if (fact === 'join') return `${of} is of the kind ${plain(after)} (was ${plain(before)})`;
    if (fact === 'order') return `${of} is ordered by ${other} (was ${one})`;
    if (fact === 'conditions') return `${of} has the condition ${other} (was ${one})`;
    if (fact === 'rows' && part.kind === 'rank')
      return `${of} keeps the rows ${plain(after)} (was ${plain(before)})`;
    if (fact === 'materialized')
      return after?.value === true
        ? `\`${model}\` keeps the rows that it writes`
        : `\`${model}\` keeps the rows that it writes no longer`;
    if (name === 'from' || fact === 'inputs')
      return `${of} reads ${plain(after)} (was ${plain(before)}): its operators are numbered differently`;
    return `${fact} of ${of} is ${plain(after)} (was ${plain(before)})`;
  }
}

function lengthSentence({ fact, before, after, part, model }: Change): string {
  const length = (one: StateFact | undefined) =>
    typeof one?.value === 'number' ? duration(one.value) : undefined;
  const what = part.kind === 'window' && part.window === 'SESSION' ? 'gap' : 'size';
  const names: Readonly<Record<string, string>> = { size_ms: what, step_ms: 'step', offset_ms: 'offset' };
  const of = partOf(model, part);
  const subject = names[fact] === 'size' ? of : `the ${names[fact] ?? fact} of ${of}`;
  const [one, other] = [length(before), length(after)];
  if (other === undefined) return `${subject} is no longer ${one}`;
  return one === undefined ? `${subject} is ${other}` : `${subject} went from ${one} to ${other}`;
}

function listSentences(
  { fact, before, after, part, model }: Change,
  name: 'keys' | 'columns' | 'aggregates',
): readonly Said[] {
  const [one, other] = [texts(before), texts(after)];
  const of = partOf(model, part);
  const side = /^(left|right)\./.exec(fact)?.[1];
  const where = side === undefined ? '' : ` of its ${side} side`;
  const said: string[] = [];
  const added = other.filter((text) => !one.includes(text));
  const removed = one.filter((text) => !other.includes(text));
  const isSame = one.length === other.length && one.every((text, index) => text === other[index]);
  if (!isSame && name === 'keys') {
    const isGroup = part.kind === 'window' || part.kind === 'group';
    const verb = isGroup ? `\`${model}\` groups by` : `${of} finds rows${where} by`;
    said.push(`${verb} ${listed(other)} (was ${listed(one)})`);
  } else if (!isSame) {
    const verb = name === 'aggregates' ? 'computes' : 'keeps';
    if (added.length > 0) said.push(`${of} ${verb} ${listed(added)}${where} as well`);
    if (removed.length > 0) said.push(`${of} ${verb} ${listed(removed)}${where} no longer`);
    if (added.length === 0 && removed.length === 0)
      said.push(`${of} ${verb} ${listed(other)}${where} in another order (was ${listed(one)})`);
  }
  for (const [column, type] of after?.types ?? []) {
    const earlier = before?.types?.get(column);
    if (earlier === undefined || earlier === type) continue;
    said.push(`the type of \`${column}\` in ${of} went from ${earlier} to ${type}`);
  }
  return said.map((sentence) => ({ sentence, isTyped: true }));
}

function texts(fact: StateFact | undefined): readonly string[] {
  return Array.isArray(fact?.value) ? fact.value : [];
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.map((name) => `\`${name}\``).join(', ');
}

function text(fact: StateFact | undefined): string {
  if (fact === undefined) return 'none';
  return listed(typeof fact.value === 'object' ? fact.value : [String(fact.value)]);
}

function plain(fact: StateFact | undefined): string {
  if (fact === undefined) return 'none';
  const { value } = fact;
  return typeof value === 'object' ? value.join(', ') || 'nothing' : String(value);
}
