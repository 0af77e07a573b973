import { fileURLToPath } from 'node:url';
import type { SourceRecord } from '@levada/connect-runtime-core';
import { builtInConverters } from '@levada/connect-runtime-core/host';
import { javaAnswers } from '@levada/kafka-testkit';
import { describeWithJava } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { connectPredicates, connectTransformations } from '../src/index.ts';
import { configurations } from './peer/configurations.ts';
import { knownDifference } from './peer/differences.ts';
import { comparableForm, type Encoded, encodeRecord } from './peer/encoding.ts';
import { Random } from './peer/random.ts';
import { recordOf } from './peer/records.ts';

const { LEVADA_PROPERTY_SEED: seed = '20261122', LEVADA_PROPERTY_RUNS: runs = '4000' } = process.env;
const CASES = Number(runs);
const SEED = seed === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(seed);
const source = fileURLToPath(new URL('java/TransformPeer.java', import.meta.url));

interface Case {
  readonly className: string;
  readonly config: Readonly<Record<string, string>>;
  readonly record: SourceRecord;
}

/** The result of a class for one case. */
type Outcome = { readonly record: Encoded } | { readonly holds: boolean } | { readonly error: string };

function caseOf(random: Random): Case {
  const plugin = random.pick([...connectTransformations, ...connectPredicates]);
  const simpleName = plugin.className
    .slice('org.apache.kafka.connect.transforms.'.length)
    .replace(/\$.*/, '');
  const config = configurations[simpleName]?.(random) ?? {};
  return { className: plugin.className, config, record: recordOf(random) };
}

function ours({ className, config, record }: Case): Outcome {
  try {
    const predicate = connectPredicates.find((plugin) => plugin.className === className);
    if (predicate !== undefined) return { holds: predicate.create(config).test(record) };
    const plugin = connectTransformations.find((one) => one.className === className);
    const result = plugin?.create(config).apply(record) ?? null;
    return { record: result === null ? null : comparableForm(encodeRecord(result)) };
  } catch (thrown) {
    return { error: (thrown as Error).message.split('\n')[0] ?? '' };
  }
}

function javas(answer: string): Outcome {
  const { error, holds, record } = JSON.parse(answer) as {
    readonly error?: string;
    readonly holds?: boolean;
    readonly record?: Encoded;
  };
  if (error !== undefined) return { error };
  if (holds !== undefined) return { holds };
  return { record: record === null || record === undefined ? null : comparableForm(record) };
}

describeWithJava('transformations and predicates', '3.9.1', () => {
  it('our classes and those of Kafka Connect give the same results and errors for generated records', async () => {
    const random = new Random(SEED);
    const cases = Array.from({ length: CASES }, () => caseOf(random));
    const lines = cases.map(({ className, config, record }) =>
      JSON.stringify({ class: className, config, record: encodeRecord(record) }),
    );
    const answers = await javaAnswers({ source, version: '3.9.1' }, lines);
    expect(answers).toHaveLength(cases.length);
    const different = cases.flatMap((one, index) => {
      const [mine, java] = [ours(one), javas(answers[index] ?? '')];
      if (JSON.stringify(sortMembers(mine)) === JSON.stringify(sortMembers(java))) return [];
      const known = knownDifference({ mine: textOf(mine), java: textOf(java), line: lines[index] ?? '' });
      return known === undefined ? [{ case: lines[index], mine: textOf(mine), java: textOf(java) }] : [];
    });
    expect(different.slice(0, 5)).toEqual([]);
  }, 120_000);
});

const jsonConverter = 'org.apache.kafka.connect.json.JsonConverter';
const stringConverter = 'org.apache.kafka.connect.storage.StringConverter';
const headerConverter = 'org.apache.kafka.connect.storage.SimpleHeaderConverter';

describeWithJava('converters', '3.9.1', () => {
  it('our converters and those of Kafka Connect write the same bytes for generated values', async () => {
    const random = new Random(SEED + 1);
    const cases = Array.from({ length: CASES / 2 }, () => ({
      className: random.pick([jsonConverter, jsonConverter, stringConverter, headerConverter]),
      config: {
        'schemas.enable': String(random.chance(0.6)),
        'decimal.format': random.pick(['BASE64', 'NUMERIC', 'numeric']),
        'replace.null.with.default': String(random.chance(0.7)),
      },
      record: recordOf(random),
    }));
    const lines = cases.map(({ className, config, record }) =>
      JSON.stringify({ class: className, config, record: encodeRecord(record) }),
    );
    const answers = await javaAnswers({ source, version: '3.9.1' }, lines);
    const different = cases.flatMap((one, index) => {
      const { bytes = 'error' } = JSON.parse(answers[index] ?? '{}') as { readonly bytes?: string | null };
      const mine = convertValue(one);
      if (mine === bytes || orderless(mine) === orderless(bytes)) return [];
      // Java prints days before 1582 in the Julian calendar; here all are Gregorian
      if (one.className !== jsonConverter && / UTC \d{1,3}(?!\d)|0[01]\d\d-\d\d-\d\dT?/.test(bytes ?? ''))
        return [];
      // Java prints the address of bytes, which is meaningless
      if (mine === 'error' && bytes?.includes('[B@') === true) return [];
      return [{ case: lines[index], mine, java: bytes }];
    });
    expect(different.slice(0, 5)).toEqual([]);
  }, 120_000);
});

/** The converter's bytes as text. Errors are equal: our messages name the place and Java's do not. */
function convertValue({ className, config, record: { valueSchema, value } }: Case): string | null {
  const plugin = builtInConverters.find((one) => one.className === className);
  try {
    const bytes = plugin?.create(config, false).fromConnectData('t', valueSchema, value) ?? null;
    return bytes === null ? null : Buffer.from(bytes).toString();
  } catch {
    return 'error';
  }
}

/** Java writes maps in hash order. */
function orderless(text: string | null): string {
  if (text === null || text === 'error') return String(text);
  try {
    return JSON.stringify(sortMembers(JSON.parse(text)));
  } catch {
    return text
      .replaceAll(/[{}]|, /g, ' ')
      .split('')
      .toSorted()
      .join('');
  }
}

/** An error's message, or the result as JSON. */
function textOf(outcome: Outcome): string {
  return 'error' in outcome ? outcome.error : JSON.stringify(sortMembers(outcome));
}

/** Sorts members. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sortMembers(one)]));
}
