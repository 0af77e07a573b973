import type { Diagnostic, Severity } from '../diagnostics/diagnostic.ts';
import { entryOf } from './catalogue.ts';

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/**
 * Findings as workflow commands of GitHub Actions, one a line, which show at the lines of a pull request. Columns are given for
 * places on one line only: GitHub refuses others. `folder` is the project's folder below the repository's root, if it is not
 * the root itself.
 */
export function formatGithub(diagnostics: readonly Diagnostic[], folder = ''): string {
  return diagnostics.map((diagnostic) => command(diagnostic, folder)).join('');
}

function command({ code, severity, message, range, hint }: Diagnostic, folder: string): string {
  const { start, end } = range;
  const file = folder === '' ? range.file : `${folder.replace(/\/+$/, '')}/${range.file}`;
  const oneLine = start.line === end.line;
  const properties = {
    file,
    line: start.line,
    endLine: end.line,
    ...(oneLine ? { col: start.column, endColumn: Math.max(start.column, end.column - 1) } : {}),
    title: `${code} ${entryOf(code).name}`,
  };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${propertyText(String(value))}`);
  const text = hint === undefined ? message : `${message} — ${hint}`;
  return `::${commands[severity]} ${list.join(',')}::${dataText(text)}\n`;
}

function dataText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function propertyText(text: string): string {
  return dataText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
