import { isUtf8 } from 'node:buffer';
import type { DescMessage } from '@bufbuild/protobuf';
import { type WireToJson, wireToJson } from '../src/index.ts';
import { isConversionError } from './equality.ts';
import { mutate } from './mutations.ts';
import { randomMessage } from './random-message.ts';
import { randomSchema } from './random-schema.ts';
import { randomSource } from './random-source.ts';
import { realisticCases } from './realistic-messages.ts';

/** A converter under attack, and valid messages to start from. */
export interface Target {
  readonly name: string;
  readonly desc: DescMessage;
  readonly converter: WireToJson;
  readonly messages: readonly Uint8Array[];
}

/** Targets of every kind: realistic schemas, and random ones with every feature. */
export function fuzzTargets(firstSeed: number, randomSchemas: number): Target[] {
  const targets = realisticCases(8).map(({ name, desc, registry, messages }) => ({
    name,
    desc,
    converter: wireToJson(desc, { registry }),
    messages: messages.map((message) => message.subarray(0, 4000)),
  }));
  for (let seed = firstSeed; seed < firstSeed + randomSchemas; seed += 1) {
    const { root, registry } = randomSchema(seed);
    const options = {
      defaults: seed % 2 === 0,
      invalidUtf8: seed % 3 === 0 ? 'replace' : 'reject',
      registry,
    } as const;
    const messages = Array.from({ length: 12 }, (_, at) =>
      randomMessage(root, seed * 100 + at, { registry }),
    );
    targets.push({
      name: `schema of seed ${seed}`,
      desc: root,
      converter: wireToJson(root, options),
      messages,
    });
  }
  return targets;
}

/** Result of one input. `problem` is a violation. */
export type Outcome = 'converted' | 'refused' | { readonly problem: string };

export interface Attack {
  readonly outcome: Outcome;
  /** Time of the conversion alone, in milliseconds. */
  readonly ms: number;
}

export function attack(converter: WireToJson, wire: Uint8Array): Attack {
  const start = performance.now();
  let json: Uint8Array;
  try {
    json = converter.convert(wire);
  } catch (error) {
    return { outcome: refusalOf(error), ms: performance.now() - start };
  }
  const ms = performance.now() - start;
  return { outcome: isUtf8(json) ? parsing(json) : { problem: 'the output is not UTF-8' }, ms };
}

function refusalOf(error: unknown): Outcome {
  if (isConversionError(error)) return 'refused';
  return { problem: error instanceof Error ? `${error.stack}` : String(error) };
}

function parsing(json: Uint8Array): Outcome {
  try {
    JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString());
    return 'converted';
  } catch (error) {
    return { problem: String(error) };
  }
}

export interface FuzzResult {
  readonly converted: number;
  readonly refused: number;
  readonly problems: readonly string[];
  readonly slowest: Slowest;
}

export interface Slowest {
  readonly ms: number;
  readonly wire: Uint8Array;
}

/** Slower inputs are tried twice more, because other programs use the processor too. */
const SUSPICIOUS_MS = 10;

/** Mutates the messages of a target `count` times. */
export function fuzz(target: Target, count: number, seed: number): FuzzResult {
  const random = randomSource(seed);
  const outcomes = { converted: 0, refused: 0 };
  const problems: string[] = [];
  let slowest: Slowest = { ms: 0, wire: new Uint8Array() };
  for (let left = count; left > 0; left -= 1) {
    const wire = mutate(random.pick(target.messages), target.messages, random);
    const { outcome, ms } = attack(target.converter, wire);
    if (ms > slowest.ms) slowest = { ms: ms > SUSPICIOUS_MS ? again(target, wire, ms) : ms, wire };
    if (typeof outcome === 'string') outcomes[outcome] += 1;
    else problems.push(`${target.name}, wire ${Buffer.from(wire).toString('hex')}: ${outcome.problem}`);
  }
  return { ...outcomes, problems, slowest };
}

function again({ converter }: Target, wire: Uint8Array, ms: number): number {
  return Math.min(ms, attack(converter, wire).ms, attack(converter, wire).ms);
}
