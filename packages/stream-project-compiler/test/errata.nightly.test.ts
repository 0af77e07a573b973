import {
  describeEngine,
  type PlannerVersion,
  plannerVersions,
  type StatementRows,
} from '@levada/test-peers/engine';
import { describe, expect, it } from 'vitest';
import { type Erratum, errata } from '../src/index.ts';
import { errataRows } from './errata-rows.ts';

/** Errata of topics that change, whose rows a test of the command looks at. */
const ofTopics = [
  'extremes-of-fixed-columns',
  'first-rows-in-fixed-order',
  'join-conditions-without-updates-before',
  'matches-counted-twice',
  'null-event-times',
];

const number = (version: string) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 10_000 + minor;
};

function has({ since = '1.20', until }: Erratum, version: PlannerVersion): boolean {
  return number(version) >= number(since) && (until === undefined || number(version) < number(until));
}

/** The rows that stay after all changes, in the order of their texts. */
function folded({ kinds, rows }: StatementRows): readonly (readonly unknown[])[] {
  const counts = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    const text = JSON.stringify(row);
    const isAdded = kinds[at] === 'INSERT' || kinds[at] === 'UPDATE_AFTER';
    counts.set(text, (counts.get(text) ?? 0) + (isAdded ? 1 : -1));
  }
  return [...counts]
    .flatMap(([text, count]) => Array.from({ length: Math.max(0, count) }, () => text))
    .sort()
    .map((text) => JSON.parse(text) as readonly unknown[]);
}

describe('errata', () => {
  it('have rows that show each', () => {
    const shown = [...ofTopics, ...errataRows.map(({ id }) => id)].sort();
    expect(shown).toEqual(errata.map(({ id }) => id).sort());
  });
});

for (const version of plannerVersions) {
  describeEngine('rows of errata', version, (engine) => {
    it.each(errataRows)(
      'are wrong in the versions of "$id", and right in what is written instead',
      async (one) => {
        const entry = errata.find(({ id }) => id === one.id);
        if (entry === undefined) throw new Error(`no erratum "${one.id}"`);
        const session = await engine().session();
        expect(folded(await session.run(one.instead))).toEqual(one.right);
        expect(folded(await session.run(one.query))).toEqual(has(entry, version) ? one.wrong : one.right);
      },
      120_000,
    );
  });
}
