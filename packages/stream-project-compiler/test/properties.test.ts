import {
  childNodes,
  outputColumns,
  parseSql,
  queryKind,
  type SqlNode,
  tableReferences,
  walkSql,
} from '@levada/stream-sql';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedTexts } from './accepted-texts.ts';
import { aGap, withCase, withGaps, withQuotes, written } from './properties/spellings.ts';

const aText = fc.constantFrom(...acceptedTexts);

describe('how a query is written', () => {
  it('comments and white space change nothing but places', () => {
    fc.assert(
      fc.property(aText, fc.array(aGap, { minLength: 8, maxLength: 8 }), (text, gaps) => {
        const one = parseSql(text);
        const again = parseSql(withGaps(text, gaps));
        expect(again.diagnostics).toEqual([]);
        expect(bareTree(again.query)).toEqual(bareTree(one.query));
      }),
      { numRuns: 400 },
    );
  });

  it('the case of letters in keywords changes nothing', () => {
    fc.assert(
      fc.property(aText, fc.infiniteStream(fc.boolean()), (text, lower) => {
        const again = parseSql(withCase(text, () => lower.next().value === true));
        expect(again.diagnostics).toEqual([]);
        expect(inUpperCase(again.query)).toEqual(inUpperCase(parseSql(text).query));
      }),
      { numRuns: 400 },
    );
  });

  it('backticks around names change nothing but places', () => {
    fc.assert(
      fc.property(aText, fc.infiniteStream(fc.boolean()), (text, quote) => {
        const again = parseSql(withQuotes(text, () => quote.next().value === true));
        expect(again.diagnostics).toEqual([]);
        expect(bareTree(again.query)).toEqual(bareTree(parseSql(text).query));
      }),
      { numRuns: 400 },
    );
  });

  it('backticks around every name change nothing but places', () => {
    const changed = acceptedTexts.filter((text) => {
      const again = parseSql(withQuotes(text, () => true));
      return JSON.stringify(bareTree(again.query)) !== JSON.stringify(bareTree(parseSql(text).query));
    });
    expect(changed).toEqual([]);
  });
});

/** Functions that are reserved words keep how they are written, which is no difference to the engine. */
function inUpperCase(node: SqlNode | undefined): string {
  return JSON.stringify(bareTree(node)).toUpperCase();
}

describe('where things are', () => {
  it('every node lies within the one above it', () => {
    const misplaced: string[] = [];
    for (const text of acceptedTexts) {
      walkSql(parseSql(text).query as SqlNode, (node) => {
        for (const child of childNodes(node)) {
          const inside = child.start >= node.start && child.start <= child.end && child.end <= node.end;
          if (!inside) misplaced.push(`${child.kind} of ${node.kind}: ${text}`);
        }
        return undefined;
      });
    }
    expect(misplaced).toEqual([]);
  });

  it('every name is the text at its place', () => {
    const misread: string[] = [];
    for (const text of acceptedTexts) {
      walkSql(parseSql(text).query as SqlNode, (node) => {
        if (node.kind !== 'identifier') return undefined;
        const source = text.slice(node.start, node.end);
        const name = node.quoted ? source.slice(1, -1).replaceAll('``', '`') : source;
        if (name !== node.name) misread.push(`${node.name}: ${text}`);
        return undefined;
      });
    }
    expect(misread).toEqual([]);
  });
});

/** Whatever a text is, this can be asked of it. */
function readWhole(text: string): { mistakes: number; found: boolean } {
  const { query, diagnostics } = parseSql(text);
  if (query !== undefined) {
    queryKind(query);
    tableReferences(query);
    outputColumns(query);
  }
  for (const { start, end } of diagnostics) {
    if (!(start >= 0 && start <= end && end <= text.length)) throw new Error(`place ${start}-${end}`);
  }
  return { mistakes: diagnostics.length, found: query !== undefined };
}

describe('texts that are cut or mixed up', () => {
  it('gives a tree or a diagnostic for every beginning of a text', () => {
    const beginnings = acceptedTexts.flatMap((text) =>
      written(text).map(({ token }) => text.slice(0, token.start)),
    );
    const unread = beginnings.filter((text) => {
      const { mistakes, found } = readWhole(text);
      return mistakes === 0 && !found;
    });
    expect(unread).toEqual([]);
  });

  it('gives a tree or a diagnostic for tokens in any order', () => {
    const tokens = [...new Set(acceptedTexts.flatMap((text) => written(text).map((part) => part.text)))];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...tokens), { maxLength: 60 }), (parts) => {
        const { mistakes, found } = readWhole(`SELECT ${parts.join(' ')}`);
        expect(mistakes > 0 || found).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('gives a tree or a diagnostic for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), aText, fc.nat(), (noise, text, at) => {
        const cut = at % (text.length + 1);
        const { mistakes, found } = readWhole(text.slice(0, cut) + noise + text.slice(cut));
        expect(mistakes > 0 || found).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

const PLACES = new Set(['start', 'end', 'nameStart', 'nameEnd', 'operatorStart', 'operatorEnd', 'quoted']);

/** A tree without what depends on how it is written: places, and whether names are in backticks. */
function bareTree(node: SqlNode | undefined): unknown {
  return JSON.parse(
    JSON.stringify(node ?? null, (key, value: unknown) => (PLACES.has(key) ? undefined : value)),
  ) as unknown;
}
