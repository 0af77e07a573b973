import { ConnectorError } from '../diagnostics/connector-error.ts';
import { PatternError, type PatternNode, parsePattern } from './pattern-syntax.ts';

/** One step of a compiled pattern. */
export type Step =
  | { readonly kind: 'character'; readonly matches: (code: number) => boolean }
  /** Continues at each of these, the preferred one first. */
  | { readonly kind: 'fork'; readonly to: number[] }
  /** Remembers the present place: twice the number of a group for its begin, one more for its end. */
  | { readonly kind: 'mark'; readonly slot: number }
  | { readonly kind: 'text-end' }
  | { readonly kind: 'end' };

/** A pattern as steps that can be followed all at once. */
export interface LinearProgram {
  readonly steps: readonly Step[];
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
}

/** Longest pattern, in characters, and most steps it may come to. */
const LONGEST = 1000;
const MOST_STEPS = 5000;

/**
 * A test whether a whole text fits a pattern that a user wrote. Takes time in proportion to the text, whatever the pattern:
 * all ways through it are followed at once, none is ever gone back. Knows `.`, sets, `\d \w \s`, groups, `|`, `* + ? {n,m}`,
 * anchors at the ends and `(?i)` at the begin; no look-around, no back-references. Throws `config_invalid`.
 */
export function linearPattern(source: string): (text: string) => boolean {
  const { steps } = compilePattern(source);
  return (text) => fits(steps, text);
}

/** The steps of a pattern as {@link linearPattern} knows them. Throws `config_invalid`. */
export function compilePattern(source: string): LinearProgram {
  try {
    if (source.length > LONGEST) throw new PatternError(`longer than ${LONGEST} characters`);
    const { root, groups, names } = parsePattern(source);
    const steps: Step[] = [];
    emit(root, steps);
    push(steps, { kind: 'end' });
    return { steps, groups, names };
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    throw new ConnectorError('config_invalid', `pattern ${source.slice(0, LONGEST)}: ${thrown.message}`);
  }
}

function push(steps: Step[], step: Step): void {
  if (steps.length >= MOST_STEPS) throw new PatternError('too large once its counts are written out');
  steps.push(step);
}

/** Appends the steps of a node; after them the text continues at the next step. */
function emit(node: PatternNode, steps: Step[]): void {
  if (node.kind === 'character' || node.kind === 'text-end') push(steps, node);
  else if (node.kind === 'sequence') for (const item of node.items) emit(item, steps);
  else if (node.kind === 'choice') emitChoice(node.options, steps);
  else if (node.kind === 'group') {
    push(steps, { kind: 'mark', slot: 2 * node.number });
    emit(node.item, steps);
    push(steps, { kind: 'mark', slot: 2 * node.number + 1 });
  } else emitRepeat(node, steps);
}

function emitChoice(options: readonly PatternNode[], steps: Step[]): void {
  const begin: number[] = [];
  push(steps, { kind: 'fork', to: begin });
  const ends: number[][] = [];
  for (const option of options) {
    begin.push(steps.length);
    emit(option, steps);
    const end: number[] = [];
    ends.push(end);
    push(steps, { kind: 'fork', to: end });
  }
  for (const end of ends) end.push(steps.length);
}

function emitRepeat(node: PatternNode & { readonly kind: 'repeat' }, steps: Step[]): void {
  for (let i = 0; i < node.min; i += 1) emit(node.item, steps);
  if (node.max === Number.POSITIVE_INFINITY) {
    const begin = steps.length;
    const fork: number[] = [begin + 1];
    push(steps, { kind: 'fork', to: fork });
    emit(node.item, steps);
    push(steps, { kind: 'fork', to: [begin] });
    addExit(fork, node.lazy, steps.length);
    return;
  }
  const exits: number[][] = [];
  for (let i = node.min; i < node.max; i += 1) {
    const fork: number[] = [steps.length + 1];
    exits.push(fork);
    push(steps, { kind: 'fork', to: fork });
    emit(node.item, steps);
  }
  for (const fork of exits) addExit(fork, node.lazy, steps.length);
}

/** What is preferred comes first: another repetition, or the exit. */
function addExit(fork: number[], lazy: boolean, exit: number): void {
  if (lazy) fork.unshift(exit);
  else fork.push(exit);
}

function fits(steps: readonly Step[], text: string): boolean {
  let here = reach(steps, [0]);
  for (let i = 0; i < text.length && here.length > 0; i += 1) {
    const code = text.charCodeAt(i);
    const next: number[] = [];
    for (const at of here) {
      const step = steps[at];
      if (step?.kind === 'character' && step.matches(code)) next.push(at + 1);
    }
    here = reach(steps, next);
  }
  return here.some((at) => steps[at]?.kind === 'end');
}

/** The steps that can be reached without a character, each once. */
function reach(steps: readonly Step[], from: readonly number[]): readonly number[] {
  const seen = new Set<number>();
  const open = [...from];
  const found: number[] = [];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const step = steps[at];
    if (step?.kind === 'fork') open.push(...step.to);
    // Nothing but the end follows the end of the text.
    else if (step?.kind === 'mark' || step?.kind === 'text-end') open.push(at + 1);
    else found.push(at);
  }
  return found;
}
