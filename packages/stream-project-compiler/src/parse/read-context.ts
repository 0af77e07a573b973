import { type DocumentForm, type Field, type FieldPath, formatPath } from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { rangeAt, type SourceFile } from '../text/source-file.ts';
import { interpolate } from './interpolate.ts';
import { parseCodes } from './parse-codes.ts';
import type { TypedNode } from './typed-node.ts';
import type { YamlNode } from './yaml-tree.ts';

/** A variable without a value, and where it is used. */
export interface MissingVariable {
  readonly name: string;
  readonly span: Span;
  readonly path: string;
  /** Its value is a secret, so that it has no default in the file. */
  readonly secret?: true;
}

/** State shared by the reading of one file. */
export interface ReadContext {
  readonly file: SourceFile;
  readonly form: DocumentForm;
  readonly variables: ReadonlyMap<string, string>;
  readonly report: ParseReport;
  readonly missing: MissingVariable[];
  /** Values that are written in the file and must not be printed. */
  readonly secrets: Span[];
  readonly read: (row: Field, yaml: YamlNode, place: Place) => TypedNode;
}

/** The path of a value, from the top of the file. */
export interface Place {
  readonly parent: Place | undefined;
  readonly step: string | number;
  /** As in {@link FileFinding}: `model:orders`, `runtime`, `file`. */
  readonly object: string;
  /** What to underline for the value as a whole: its key, or the first key of a list's item. */
  readonly head: Span;
  readonly secret: boolean;
  /** Within a map whose keys are the user's: values are secret, at any depth, whose keys name a secret. */
  readonly secretKeys: boolean;
}

/** The top of a file. */
export const topOfFile: Place = {
  parent: undefined,
  step: '',
  object: 'file',
  head: { start: 0, end: 0 },
  secret: false,
  secretKeys: false,
};

/** Keys and list indices from the top of the file. */
export function pathOf(place: Place): FieldPath {
  const steps: (string | number)[] = [];
  for (let at = place; at.parent !== undefined; at = at.parent) steps.push(at.step);
  return steps.reverse();
}

/** A value in words: `"advanced.topic" of model "orders"`, `"runtime.platform"`, `source "x"`, `the file`. */
export function wordsFor(place: Place): string {
  const path = pathOf(place);
  if (path.length === 0) return 'the file';
  const [kind, name] = splitObject(place.object);
  if (name === undefined) return quote(formatPath(path));
  const inner = path.slice(2);
  const owner = `${kind} ${quote(name)}`;
  return inner.length === 0 ? owner : `${quote(formatPath(inner))} of ${owner}`;
}

function splitObject(object: string): readonly [string, string | undefined] {
  const colon = object.indexOf(':');
  return colon === -1 ? [object, undefined] : [object.slice(0, colon), object.slice(colon + 1)];
}

/** Reports a finding about a value, with its path and object. */
export function reportAt(
  { report }: ReadContext,
  name: keyof typeof parseCodes,
  { place, ...finding }: Omit<FileFinding, 'path' | 'object'> & { readonly place: Place },
): void {
  report.add(name, { ...finding, path: formatPath(pathOf(place)), object: place.object });
}

/** Notes every variable without a value in what is not read, because its key is unknown or it is of another kind. */
export function noteVariables(context: ReadContext, yaml: YamlNode, place: Place): void {
  if (yaml.kind === 'map') {
    for (const { value } of yaml.entries) noteVariables(context, value, place);
  } else if (yaml.kind === 'list') {
    for (const item of yaml.items) noteVariables(context, item, place);
  } else if (typeof yaml.value === 'string') {
    for (const name of interpolate(yaml.value, context.variables)?.missing ?? []) {
      context.missing.push({ name, span: yaml.span, path: formatPath(pathOf(place)) });
    }
  }
}

/** The facts of a finding within one file. */
interface FileFinding {
  readonly span: Span;
  readonly message: string;
  readonly path?: string;
  readonly object?: string;
  readonly hint?: string | undefined;
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
}

/** Takes the findings of one file. */
export interface ParseReport {
  readonly diagnostics: Diagnostic[];
  readonly add: (name: keyof typeof parseCodes, finding: FileFinding) => void;
  /** Nothing more is taken, so there is no need to work out hints. */
  readonly isFull: () => boolean;
}

/** More are not worth reading. */
const MAX_FINDINGS = 500;

/** A list of findings that ends with `too-many-findings`. */
export function createParseReport(file: SourceFile): ParseReport {
  const diagnostics: Diagnostic[] = [];
  return {
    diagnostics,
    isFull: () => diagnostics.length > MAX_FINDINGS,
    add: (name, { span, related = [], ...finding }) => {
      if (diagnostics.length > MAX_FINDINGS) return;
      const range = rangeAt(file, span);
      if (diagnostics.length === MAX_FINDINGS) {
        const message = `the file has more than ${MAX_FINDINGS} findings, the rest is not reported`;
        diagnostics.push(diagnose(parseCodes['too-many-findings'], { message, range }));
        return;
      }
      const places = related.map((other) => ({ message: other.message, range: rangeAt(file, other.span) }));
      diagnostics.push(diagnose(parseCodes[name], { ...finding, range, related: places }));
    },
  };
}
