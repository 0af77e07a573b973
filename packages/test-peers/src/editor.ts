import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ConfigKey } from '@levada/connect-runtime-core';
import ts from 'typescript-5.9';
import { describe, expect, it } from 'vitest';

/** A source in library use, as its package exports it. */
export interface SourceInEditor {
  /** Folder of the package, whose `dist` is built. */
  readonly folder: URL;
  readonly packageName: string;
  readonly factory: string;
  readonly optionsType: string;
  readonly keys: readonly ConfigKey[];
  /** Options of this source that are no keys. */
  readonly ownOptions?: readonly string[];
}

const optionsOfEverySource = ['clock', 'environment', 'logger', 'name', 'offsets', 'signal'];

/** What an editor shows of one property. */
interface Shown {
  readonly documentation: string;
  readonly defaultValue: string | undefined;
  readonly example: string | undefined;
}

/** What an editor offers and shows in a TypeScript file. */
export interface Editor {
  /** Names offered where `|` is in the text. */
  readonly completions: (text: string) => readonly string[];
  /** What is shown of one of them. */
  readonly show: (text: string, name: string) => Shown | undefined;
  /** What is underlined in red. */
  readonly errors: (text: string) => readonly string[];
}

/** Tests that somebody who types the options of a source in an editor sees what each is for. Uses TypeScript's language service. */
export function describeOptionsInEditor(source: SourceInEditor): void {
  describe(`the options of ${source.factory} in an editor`, () => {
    const editor = openEditor(fileURLToPath(source.folder));
    const imported = `import { ${source.factory}, type ${source.optionsType} } from '${source.packageName}';\n`;
    const rows = source.keys.filter(({ option }) => option !== undefined);

    it('have documentation, a default unless they need none, and an example', () => {
      const seen = rows.map(({ option = '' }) => {
        const { text, name } = cursorAt(option);
        return [option, editor.show(`${imported}${source.factory}({ ${text} });`, name)] as const;
      });
      const bare = seen
        .filter(([, shown]) => (shown?.documentation.length ?? 0) < 10)
        .map(([option]) => option);
      expect(bare).toEqual([]);
      expect(seen.filter(([, shown]) => shown?.example === undefined).map(([option]) => option)).toEqual([]);
      const withDefault = rows.filter((row) => row.default !== undefined && row.default !== null);
      const shownDefault = seen.filter(([, shown]) => shown?.defaultValue !== undefined);
      expect(shownDefault.map(([option]) => option)).toEqual(withDefault.map(({ option }) => option));
    });

    it('are all offered with documentation, those of every source and those that group others included', () => {
      const text = `${imported}${source.factory}({ | });`;
      const offered = editor.completions(text);
      const wanted = rows.map(({ option = '' }) => /^\w*/.exec(option)?.[0] ?? '');
      expect(offered).toEqual(
        [...new Set([...wanted, ...optionsOfEverySource, ...(source.ownOptions ?? [])])].toSorted(),
      );
      expect(offered.filter((name) => !editor.show(text, name)?.documentation)).toEqual([]);
    });

    it('offer their words where only some are allowed', () => {
      const closed = rows.filter(({ validator }) => validator?.values !== undefined);
      const offered = closed.map(({ option = '', type }) => {
        const empty = type === 'list' ? "['|']" : "'|'";
        return [option, editor.completions(`${imported}${source.factory}({ ${assigned(option, empty)} });`)];
      });
      const expected = closed.map(({ option, validator }) => [option, validator?.values?.toSorted()]);
      expect(closed.length).toBeGreaterThan(0);
      expect(offered).toEqual(expected);
    });

    it('have examples without errors, and errors where a name or a word is wrong', () => {
      const examples = rows.map(({ option = '', example = '' }) => `  { ${assigned(option, example)} },`);
      const list = (lines: readonly string[]) =>
        `${imported}const options: readonly Partial<${source.optionsType}>[] = [\n${lines.join('\n')}\n];\nvoid options;`;
      expect(editor.errors(list(examples))).toEqual([]);
      const slips = ['{ nope: 1 },', `{ ${assigned(rows[0]?.option ?? '', 'Symbol()')} },`];
      expect(editor.errors(list(slips))).toHaveLength(slips.length);
    });
  });
}

/** Tests that TypeScript finds no errors in the examples of a package's README. `./gen/` in them is `test/gen/` of the package. */
export function describeReadmeInEditor(folder: URL): void {
  const text = readFileSync(new URL('README.md', folder), 'utf8');
  const examples = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  describe('the examples of the README in an editor', () => {
    it('are there', () => {
      expect(examples.length).toBeGreaterThan(1);
    });

    it('have no errors', () => {
      const editor = openEditor(fileURLToPath(folder));
      const errors = examples.map((code) => editor.errors(code.replaceAll("'./gen/", "'./test/gen/")));
      expect(errors).toEqual(examples.map(() => []));
    });
  });
}

/** A text in which the cursor is where the option can be typed. */
function cursorAt(option: string): { readonly text: string; readonly name: string } {
  const [name = '', member] = option.split('.', 2);
  return member === undefined
    ? { text: '|', name }
    : { text: assigned(option, '').replace(`${member}: `, '|'), name: member };
}

function assigned(option: string, value: string): string {
  const [name = '', member] = option.split('.', 2);
  if (member === undefined) return `${name}: ${value}`;
  const object = `{ ${member}: ${value} }`;
  return name.endsWith('[]') ? `${name.slice(0, -2)}: [${object}]` : `${name}: ${object}`;
}

/** A TypeScript file that is only in memory, inside a package. Opened once for each package: that takes seconds. */
export function openEditor(folder: string): Editor {
  const open = editors.get(folder) ?? newEditor(folder);
  editors.set(folder, open);
  return open;
}

const editors = new Map<string, Editor>();

function newEditor(folder: string): Editor {
  const file = `${folder}in-memory.ts`;
  let version = 0;
  let content = '';
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => ({
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2024,
      lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(version) : '1'),
    getScriptSnapshot: (name) => {
      const text = name === file ? content : ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    realpath: (name) => ts.sys.realpath?.(name) ?? name,
  });
  const open = (text: string): number => {
    content = text.replace('|', '');
    version += 1;
    return text.indexOf('|');
  };
  return {
    completions: (text) => {
      const found = service.getCompletionsAtPosition(file, open(text), {});
      return (found?.entries ?? []).map(({ name }) => name).toSorted();
    },
    show: (text, name) => {
      const found = service.getCompletionEntryDetails(file, open(text), name, {}, undefined, {}, undefined);
      if (found === undefined) return undefined;
      const tag = (wanted: string) => found.tags?.find((each) => each.name === wanted);
      const textOf = (parts: readonly ts.SymbolDisplayPart[] = []) => parts.map((part) => part.text).join('');
      const [defaultValue, example] = [tag('defaultValue'), tag('example')];
      return {
        documentation: textOf(found.documentation),
        defaultValue: defaultValue && textOf(defaultValue.text),
        example: example && textOf(example.text),
      };
    },
    errors: (text) => {
      content = text;
      version += 1;
      const found = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
      return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  };
}
