import { isUtf8 } from 'node:buffer';
import type { DescMessage } from '@bufbuild/protobuf';
import { type WireToJson, wireToJson } from '../src/index.ts';
import { isConversionError } from './equality.ts';
import { mutated } from './mutations.ts';
import { randomMessage } from './random-message.ts';
import { randomSchema } from './random-schema.ts';
import { randomSource } from './random-source.ts';
import { realisticCases } from './realistic-messages.ts';

/** A converter under attack, and sound messages to start from. */
export interface Target {
  readonly name: string;
  readonly desc: DescMessage;
  readonly converter: WireToJson;
  readonly messages: readonly Uint8Array[];
}

/** Targets of every kind: realistic schemas, and random ones with everything that a schema can have. */
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

/** What happened to one input: an output or a refusal, or what must not be. */
export function attack(
  converter: WireToJson,
  wire: Uint8Array,
): 'converted' | 'refused' | { readonly problem: string } {
  try {
    const json = converter.convert(wire);
    if (!isUtf8(json)) return { problem: 'the output is not UTF-8' };
    const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString();
    JSON.parse(text);
    return 'converted';
  } catch (error) {
    return isConversionError(error)
      ? 'refused'
      : { problem: error instanceof Error ? `${error.stack}` : String(error) };
  }
}

export interface FuzzResult {
  readonly converted: number;
  readonly refused: number;
  readonly problems: readonly string[];
  readonly slowest: Slowest;
}

export interface Slowest {
  /** Of the input in milliseconds; what took long once is measured again, because other programs take the processor, too. */
  readonly ms: number;
  readonly wire: Uint8Array;
}

/** Above this, an input is tried twice more. */
const SUSPICIOUS_MS = 10;

/** Mutates the messages of a target `count` times. */
export function fuzz(target: Target, count: number, seed: number): FuzzResult {
  const random = randomSource(seed);
  const outcomes = { converted: 0, refused: 0 };
  const problems: string[] = [];
  let slowest: Slowest = { ms: 0, wire: new Uint8Array() };
  for (let left = count; left > 0; left -= 1) {
    const wire = mutated(random.pick(target.messages), target.messages, random);
    const start = performance.now();
    const outcome = attack(target.converter, wire);
    const ms = performance.now() - start;
    if (ms > slowest.ms) slowest = { ms: ms > SUSPICIOUS_MS ? Math.min(ms, again(target, wire)) : ms, wire };
    if (typeof outcome === 'string') outcomes[outcome] += 1;
    else problems.push(`${target.name}, wire ${Buffer.from(wire).toString('hex')}: ${outcome.problem}`);
  }
  return { ...outcomes, problems, slowest };
}

function again(target: Target, wire: Uint8Array): number {
  const took = [0, 1].map(() => {
    const start = performance.now();
    attack(target.converter, wire);
    return performance.now() - start;
  });
  return Math.min(...took);
}
