import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRisen, findRisenMessages, lower, measure } from './clarity.mjs';
import { findMarkers, findNames, findTitles } from './measures.mjs';

const foundIn = (places: readonly { line: number; found: string }[]) =>
  places.map(({ line, found }) => [line, found]);

describe('markers', () => {
  it('each marker is found with its line', () => {
    const text = '/** What it holds. */\nconst port = 1; // of which there are none\n\n * as it is, whatever';
    expect(foundIn(findMarkers(text))).toEqual([
      [1, '/** What'],
      [2, 'are none'],
      [2, 'of which'],
      [4, 'as it is'],
      [4, 'whatever'],
    ]);
  });

  it('code inside Markdown is not prose', () => {
    const text =
      'Write `undefined if absent`, not `there is none`.\n\n```sh\necho whatever\n```\nIt is none.';
    expect(foundIn(findMarkers(text, { isMarkdown: true }))).toEqual([[6, 'is none']]);
  });
});

describe('titles', () => {
  it.each([
    'is none with %s',
    'has no columns',
    'answers 404 for an unknown task',
    'writes, then closes',
    'keep their order',
    'never logs a secret',
    'of a paused task',
    'that are missing are counted',
    'with a proxy is refused',
    'counts findings with the same text',
    'names the nearest key',
  ])('the title "%s" has no subject', (title) => {
    expect(foundIn(findTitles(`it('${title}', () => {});`))).toEqual([[1, title]]);
  });

  it.each([
    'the queue drops the newest record when it is full',
    'records keep their order',
    'when the queue is full, the newest record is dropped',
    '%s is refused',
    'names of tables are quoted',
    'groups are ordered by key',
    'requests use the tunnel',
    'requests to the leader are observed',
    'retries never spin',
    'write returns -1 without room',
    'no record is lost',
    'JSON has the published shape',
  ])('the title "%s" has a subject', (title) => {
    expect(findTitles(`it('${title}', () => {});`)).toEqual([]);
  });

  it('titles of tables, of conditional tests and of templates are found', () => {
    const text = [
      `it.each([')', f({ a: [1] })])('is one', (x) => {});`,
      `it.runIf(has('x)'))('is two', () => {});`,
      'test.skipIf(a()).each([\n  1, // )\n])(\n  `is three`,\n  () => {},\n);',
      'it.each`a`("is four", () => {});',
      `it(title, () => {}); exit('is none'); audit.it('is none', () => {});`,
    ].join('\n');
    expect(foundIn(findTitles(text))).toEqual([
      [1, 'is one'],
      [2, 'is two'],
      [3, 'is three'],
      [9, 'is four'],
    ]);
  });
});

describe('names', () => {
  it('functions, constants and methods that are named by a participle or adjective are found', () => {
    const text = [
      'export async function answered(request: Request): Promise<void> {',
      'const wrong = (key: string): Finding => ({ key });',
      'const lost = async (',
      '  names: readonly string[],',
      '): Promise<void> => {',
      'class Queue {',
      '  async #settled(): Promise<void> {',
      '  }',
      '  readable(',
      '    size: number,',
      '  ): boolean {',
      '  }',
      '}',
    ].join('\n');
    expect(foundIn(findNames(text))).toEqual([
      [1, 'answered'],
      [2, 'wrong'],
      [3, 'lost'],
      [7, 'settled'],
      [9, 'readable'],
    ]);
  });

  it('verbs, values, calls and names of several words are no findings', () => {
    const text = [
      'function feed(bytes: Uint8Array): void {',
      'const found = find(1);',
      'const wrong = (keys as string[]).find((key) => key);',
      'const escapedName = (name: string) => name;',
      '  settled(',
      '    1,',
      '  );',
      '  if (known(1)) {',
      'function isKnown(key: string): boolean {',
    ].join('\n');
    expect(findNames(text)).toEqual([]);
  });
});

describe('counts', () => {
  const group = (counts: object, sourceLines = 100) => ({
    counts: { source: 0, tests: 0, docs: 0, titles: 0, names: 0, ...counts },
    lines: { source: sourceLines, tests: 0, docs: 0 },
    places: [],
  });

  it('a count above the committed one is a finding, and a lower one is not', () => {
    const groups = { one: group({ source: 3, titles: 1 }), other: group({ names: 2 }) };
    const committed = { one: { source: 2, titles: 2 }, other: { names: 2 } };
    expect(findRisen(groups, committed)).toEqual(['one: markers in source: 3, at most 2 are allowed']);
  });

  it('a package without committed counts may have 15 markers in 10,000 lines, and no other findings', () => {
    expect(findRisen({ young: group({ source: 3, names: 1 }, 2000) }, {})).toEqual([
      'young: functions named by a participle or adjective: 1, at most 0 are allowed',
    ]);
    expect(findRisen({ young: group({ source: 4 }, 2000) }, {})).toEqual([
      'young: markers in source: 4, at most 3 are allowed',
    ]);
  });

  it('one marker in few commit messages is allowed, and many messages keep the committed rate', () => {
    const places = Array.from({ length: 4 }, () => ({ line: 1, found: 'whatever' }));
    expect(findRisenMessages({ lines: 3, places: places.slice(0, 1) }, 100)).toEqual([]);
    expect(findRisenMessages({ lines: 3, places: places.slice(0, 2) }, 100)).toHaveLength(1);
    expect(findRisenMessages({ lines: 300, places: places.slice(0, 3) }, 100)).toEqual([]);
    expect(findRisenMessages({ lines: 300, places }, 100)).toHaveLength(1);
  });

  it('counts to commit follow code that moves between packages', () => {
    const committed = { one: group({ source: 5 }).counts, other: group({ source: 1 }).counts };
    const groups = { one: group({ source: 2 }), other: group({ source: 1 }), third: group({ source: 3 }) };
    const after = lower(groups, committed);
    expect([after.one.source, after.other.source, after.third.source]).toEqual([2, 1, 3]);
  });

  it('counts to commit do not rise when their sum does', () => {
    const committed = { one: group({ source: 5, names: 4 }).counts };
    const after = lower({ one: group({ source: 4, names: 1 }), other: group({ source: 2 }) }, committed);
    expect([after.one, after.other.source]).toEqual([group({ source: 4, names: 1 }).counts, 0]);
  });
});

describe('files', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'levada-clarity-'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('places are counted by package and by kind of file, without those that tools write', () => {
    const files = {
      'packages/a/src/x.ts': '// Who\nfunction lost() {\n}\n',
      'packages/a/src/x.test.ts': "// whatever\nit('is none', () => {});\n",
      'packages/a/README.md': 'There are none.\n',
      'packages/a/src/gen/y.ts': '// Who\n',
      'packages/a/src/z.ts': '// Written by a tool, do not change by hand\n// Who\n',
      'docs/guide.md': 'whatever\n',
      'README.md': 'whatever\n',
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    const groups = measure(root, Object.keys(files));
    expect(Object.keys(groups)).toEqual(['.', 'a', 'docs']);
    expect(groups.a.lines).toEqual({ source: 3, tests: 2, docs: 1 });
    expect(groups.a.counts).toEqual({ source: 1, tests: 2, docs: 1, titles: 1, names: 1 });
    expect(groups.a.places[0]).toEqual({
      kind: 'source',
      file: 'packages/a/src/x.ts',
      line: 1,
      found: '// Who',
    });
  });
});
