import type { Span } from '@levada/stream-sql';
import type { Node, Pair } from 'yaml';
import { isAlias, isCollection, isMap, isScalar, isSeq, type Scalar, type YAMLMap } from 'yaml';
import { isAfterSecretKey } from '../diagnostics/hide-secrets.ts';
import { quote } from '../diagnostics/quote.ts';
import type { ParseReport } from './read-context.ts';
import { yamlLimits } from './read-yaml-tokens.ts';
import type { ScalarStyle, YamlEntry, YamlNode, YamlScalar } from './yaml-tree.ts';

/** A converted value, how many values it holds with itself (a kilobyte of text counts as one), and how deep they are nested. */
interface Converted {
  readonly node: YamlNode;
  readonly size: number;
  readonly depth: number;
}

interface Conversion {
  readonly text: string;
  readonly report: ParseReport;
  /** By anchor; `open` while the value is being converted. */
  readonly anchors: Map<string, Converted | 'open'>;
  /** Values that aliases stood for so far; infinite once there were too many, which is said once. */
  aliased: number;
}

const coreTags: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
);

/** Characters that weigh as much as a value. */
const TEXT_AS_ONE_VALUE = 1024;

const styles: Readonly<Record<string, ScalarStyle>> = {
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

/** The library's values as a tree of plain data: aliases resolved, merge keys merged, duplicate keys reported. */
export function convertYaml(contents: Node, text: string, report: ParseReport): YamlNode {
  return convert({ text, report, anchors: new Map(), aliased: 0 }, contents).node;
}

function convert(conversion: Conversion, node: unknown): Converted {
  if (isAlias(node)) return resolveAlias(conversion, node.source, spanOf(node));
  if (!isScalar(node) && !isCollection(node)) return scalar(emptyScalar(0));
  const { anchor } = node;
  if (anchor !== undefined) conversion.anchors.set(anchor, 'open');
  const converted = convertPlain(conversion, node as Node);
  if (anchor !== undefined) conversion.anchors.set(anchor, converted);
  return converted;
}

function convertPlain(conversion: Conversion, node: Node): Converted {
  const span = spanOf(node);
  const tag = 'tag' in node ? node.tag : undefined;
  if (tag !== undefined && !coreTags.has(tag)) {
    conversion.report.add('yaml-tag', {
      span,
      message: `unknown tag${shownName(conversion, tag, span)}`,
    });
    return scalar({ ...emptyScalar(span.start), span, broken: true });
  }
  if (isMap(node)) return convertMap(conversion, node as YAMLMap);
  if (isSeq(node)) {
    const items = node.items.map((item) => convert(conversion, item));
    return { node: { kind: 'list', span, items: items.map((item) => item.node) }, ...measure(items) };
  }
  return scalar(isScalar(node) ? convertScalar(node, span) : emptyScalar(span.start));
}

function convertMap(conversion: Conversion, map: YAMLMap): Converted {
  const span = spanOf(map);
  const entries = new Map<string, YamlEntry>();
  const merged: YamlEntry[] = [];
  const held: Converted[] = [];
  let wrong = false;
  for (const pair of map.items) {
    const key = keyOf(conversion, pair);
    const value = convert(conversion, pair.value);
    held.push(value);
    if (key === undefined) {
      wrong = true;
      continue;
    }
    const first = entries.get(key.key);
    if (key.key === '<<' && key.plain) merged.push(...mergedEntries(conversion, key.keySpan, value));
    else if (first !== undefined) {
      const related = [{ message: 'first defined here', span: first.keySpan }];
      const message = `duplicate key ${quote(key.key)}`;
      conversion.report.add('duplicate-key', { span: key.keySpan, message, related });
    } else {
      const empty = value.node.span.start === value.node.span.end && value.node.kind === 'scalar';
      const node = empty && pair.value === null ? emptyScalar(key.keySpan.end) : value.node;
      entries.set(key.key, { key: key.key, keySpan: key.keySpan, value: node });
    }
  }
  for (const entry of merged) if (!entries.has(entry.key)) entries.set(entry.key, entry);
  const broken = wrong && entries.size === 0 ? ({ broken: true } as const) : {};
  return { node: { kind: 'map', span, entries: [...entries.values()], ...broken }, ...measure(held) };
}

function keyOf(
  conversion: Conversion,
  { key }: Pair,
): { readonly key: string; readonly keySpan: Span; readonly plain: boolean } | undefined {
  if (isScalar(key)) {
    const plain = key.type === 'PLAIN';
    const text = plain ? (key.source ?? '') : String(key.value);
    if (key.anchor !== undefined) conversion.anchors.set(key.anchor, scalar(convertScalar(key, spanOf(key))));
    return { key: text, keySpan: spanOf(key), plain };
  }
  const span = key === null ? { start: 0, end: 0 } : spanOf(key as Node);
  if (reportMacro(conversion, span)) return undefined;
  const hint = isMap(key)
    ? 'put a value that begins with "{" in quotes, or write "|" and the value on the lines below'
    : undefined;
  conversion.report.add('yaml-key', { span, message: 'key must be a string', hint });
  return undefined;
}

/** What `{{ ref("x") }}` without quotes is for YAML: a map that is the key of a map. */
const macroKey = /^\{\s*(ref|source)\s*\(\s*(?:(["'])([^"'\n{}]*)\2)?/;

/** Reports a key that is a macro without quotes. `false` where it is none. */
function reportMacro({ text, report }: Conversion, { start, end }: Span): boolean {
  const [, kind, , name] = macroKey.exec(text.slice(start, end)) ?? [];
  if (kind === undefined || text[start - 1] !== '{') return false;
  const before = text.slice(text.lastIndexOf('\n', start) + 1, start - 1);
  const written = `{${kind}: ${name ?? 'name'}}`;
  const isItem = /(?:^|\s)-\s+$|[[,]\s*$/.test(before);
  const isFrom = /(?:^|\s)["']?from["']?\s*:\s*$/.test(before);
  const instead = isItem ? written : isFrom ? `[${written}]` : '"|" and the SQL on the lines below';
  report.add('yaml-key', {
    span: { start: start - 1, end: end + (text[end] === '}' ? 1 : 0) },
    message: `macro "${kind}" without quotes: "{" starts a map in YAML`,
    hint: `write ${instead}`,
  });
  return true;
}

function resolveAlias(conversion: Conversion, name: string, span: Span): Converted {
  const { anchors, report } = conversion;
  const found = anchors.get(name);
  const broken = scalar({ ...emptyScalar(span.start), span, broken: true });
  if (found === undefined) {
    const hint = 'put text that begins with "*" in quotes';
    const message = `unknown anchor${shownName(conversion, name, span)}`;
    report.add('yaml-alias', { span, message, hint });
    return broken;
  }
  if (found === 'open') {
    report.add('yaml-alias', { span, message: `cyclic alias: ${quote(name)} contains itself` });
    return broken;
  }
  if (conversion.aliased > yamlLimits.aliased) return broken;
  conversion.aliased += found.size;
  if (conversion.aliased > yamlLimits.aliased || found.depth > yamlLimits.depth) {
    conversion.aliased = Number.POSITIVE_INFINITY;
    const limit = yamlLimits.aliased.toLocaleString('en');
    const message = `too many aliases: they expand to more than ${limit} values, or are nested deeper than ${yamlLimits.depth}`;
    report.add('yaml-alias', { span, message });
    return broken;
  }
  return found;
}

/** A password may begin as a tag or an alias does. */
function shownName({ text }: Conversion, name: string, { start }: Span): string {
  return isAfterSecretKey(text, start) ? '' : ` ${quote(name)}`;
}

/** Entries of the map, or of the maps in the list, that a merge key names; those of earlier maps first. */
function mergedEntries({ report }: Conversion, keySpan: Span, { node }: Converted): readonly YamlEntry[] {
  const maps = node.kind === 'list' ? node.items : [node];
  return maps.flatMap((map) => {
    if (map.kind === 'map') return map.entries;
    if (map.kind === 'scalar' && map.broken === true) return [];
    report.add('yaml-merge', { span: keySpan, message: 'the merge key "<<" needs a map, or a list of maps' });
    return [];
  });
}

function convertScalar(node: Scalar, span: Span): YamlScalar {
  const { value, type } = node;
  const style = styles[type ?? ''] ?? 'plain';
  const plain = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
  return { kind: 'scalar', span, value: plain ? value : null, style };
}

function emptyScalar(at: number): YamlScalar {
  return { kind: 'scalar', span: { start: at, end: at }, value: null, style: 'plain' };
}

/** Text is looked through wherever an alias puts it, so that long text weighs more. */
function scalar(node: YamlScalar): Converted {
  const length = typeof node.value === 'string' ? node.value.length : 0;
  return { node, size: 1 + Math.floor(length / TEXT_AS_ONE_VALUE), depth: 0 };
}

function measure(held: readonly Converted[]): { readonly size: number; readonly depth: number } {
  let size = 1;
  let depth = 0;
  for (const one of held) {
    size += one.size;
    depth = Math.max(depth, one.depth);
  }
  return { size, depth: depth + 1 };
}

function spanOf(node: Node): Span {
  const [start, end] = node.range ?? [0, 0];
  return { start, end };
}
