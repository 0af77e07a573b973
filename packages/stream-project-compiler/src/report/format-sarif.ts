import type { Diagnostic, RelatedPlace, Severity } from '../diagnostics/diagnostic.ts';
import type { TextRange } from '../text/range.ts';
import { entryOf } from './catalogue.ts';

/** What a SARIF log says of the tool and of the place. */
export interface FormatSarifOptions {
  /** Version of the tool, semantic. */
  readonly version?: string;
  /** The project's folder below the repository's root; "" (the default) when it is the root. */
  readonly folder?: string;
  /** Where each code has a page; `/LV1301` is added. Default: the reference of this package. */
  readonly helpUri?: string;
}

const REFERENCE = 'https://levada.github.io/levada/reference/diagnostics';

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

/** Findings as a SARIF 2.1.0 log. Fingerprints do not hold lines, so that a finding stays the same when lines move. */
export function formatSarif(diagnostics: readonly Diagnostic[], options: FormatSarifOptions = {}): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const ruleIndex = new Map(codes.map((code, index) => [code, index]));
  const seen = new Map<string, number>();
  const run = {
    tool: {
      driver: {
        name: 'levada project',
        ...(options.version === undefined ? {} : { semanticVersion: options.version }),
        rules: codes.map((code) => rule(code, options)),
      },
    },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: {
      SRCROOT: { description: { text: 'The root of the repository.' } },
    },
    results: diagnostics.map((diagnostic) => ({
      ruleId: diagnostic.code,
      ruleIndex: ruleIndex.get(diagnostic.code),
      level: levels[diagnostic.severity],
      message: { text: text(diagnostic) },
      locations: [location(diagnostic, options)],
      ...relatedLocations(diagnostic.related ?? [], options),
      partialFingerprints: { 'levadaFinding/v1': fingerprint(diagnostic, seen) },
    })),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function rule(code: Diagnostic['code'], { helpUri = REFERENCE }: FormatSarifOptions): object {
  const { name, title, severity, doc } = entryOf(code);
  return {
    id: code,
    name,
    shortDescription: { text: title },
    fullDescription: { text: doc },
    help: { text: doc, markdown: doc },
    helpUri: `${helpUri}/${code}`,
    defaultConfiguration: { level: levels[severity] },
  };
}

function text({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message} — ${hint}`;
}

function location({ range, object, path }: Diagnostic, options: FormatSarifOptions): object {
  const name = path === '' ? object : path;
  return {
    physicalLocation: physicalLocation(range, options),
    logicalLocations: [{ name: object, fullyQualifiedName: name }],
  };
}

function relatedLocations(related: readonly RelatedPlace[], options: FormatSarifOptions): object {
  if (related.length === 0) return {};
  return {
    relatedLocations: related.map(({ message, range }, id) => ({
      id,
      physicalLocation: physicalLocation(range, options),
      message: { text: message },
    })),
  };
}

function physicalLocation({ file, start, end }: TextRange, { folder = '' }: FormatSarifOptions): object {
  const path = folder === '' ? file : `${folder.replace(/\/+$/, '')}/${file}`;
  return {
    artifactLocation: {
      uri: path.toWellFormed().split('/').map(encodeURIComponent).join('/'),
      uriBaseId: 'SRCROOT',
    },
    region: {
      startLine: start.line,
      startColumn: start.column,
      endLine: end.line,
      endColumn: end.column,
    },
  };
}

/** Code, object, path below it and how many of the same came before: what stays when lines above change. */
function fingerprint({ code, object, path, range }: Diagnostic, seen: Map<string, number>): string {
  const key = [code, range.file, object, path.replace(/^(\w+)\[\d+\]/, '$1')].join('|');
  const count = (seen.get(key) ?? 0) + 1;
  seen.set(key, count);
  return `${key}|${count}`;
}
