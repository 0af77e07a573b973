import { ConnectorError } from '../diagnostics/connector-error.ts';
import { PatternError, type PatternNode, parsePattern } from './pattern-syntax.ts';

/** One step of a compiled pattern. */
type Step =
  | { readonly kind: 'character'; readonly matches: (code: number) => boolean }
  | { readonly kind: 'fork'; readonly to: number[] }
  | { readonly kind: 'end' };

/** Longest pattern, in characters, and most steps it may come to. */
const LONGEST = 1000;
const MOST_STEPS = 5000;

/**
 * A test whether a whole text fits a pattern that a user wrote. Takes time in proportion to the text, whatever the pattern:
 * all ways through it are followed at once, none is ever gone back. Knows `.`, sets, `\d \w \s`, groups, `|`, `* + ? {n,m}`
 * and anchors at the ends; no look-around, no back-references, no flags. Throws `config_invalid`.
 */
export function linearPattern(source: string): (text: string) => boolean {
  try {
    if (source.length > LONGEST) throw new PatternError(`longer than ${LONGEST} characters`);
    const steps: Step[] = [];
    emit(parsePattern(source), steps);
    push(steps, { kind: 'end' });
    return (text) => fits(steps, text);
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
  if (node.kind === 'character') push(steps, node);
  else if (node.kind === 'sequence') for (const item of node.items) emit(item, steps);
  else if (node.kind === 'choice') emitChoice(node.options, steps);
  else emitRepeat(node, steps);
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
    fork.push(steps.length);
    return;
  }
  const exits: number[][] = [];
  for (let i = node.min; i < node.max; i += 1) {
    const fork: number[] = [steps.length + 1];
    exits.push(fork);
    push(steps, { kind: 'fork', to: fork });
    emit(node.item, steps);
  }
  for (const fork of exits) fork.push(steps.length);
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
    else found.push(at);
  }
  return found;
}
