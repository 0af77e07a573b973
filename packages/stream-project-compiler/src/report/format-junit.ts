import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { entryOf } from './catalogue.ts';

/**
 * Findings as JUnit XML: a suite for each file, a case for each finding. Errors are failures; warnings and infos are cases that
 * passed, with the text in `system-out`. `files` names files without findings too, so that a clean run has passed cases.
 */
export function formatJunit(diagnostics: readonly Diagnostic[], files: readonly string[] = []): string {
  const names = [...new Set([...files, ...diagnostics.map(({ range }) => range.file)])];
  const found = Map.groupBy(diagnostics, ({ range }) => range.file);
  const suites = names.map((file) => suite(file, found.get(file) ?? []));
  const failures = diagnostics.filter(({ severity }) => severity === 'error').length;
  const tests = names.reduce((sum, file) => sum + Math.max(1, found.get(file)?.length ?? 0), 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="levada project validate" tests="${tests}" failures="${failures}" errors="0">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(file: string, diagnostics: readonly Diagnostic[]): string {
  const failures = diagnostics.filter(({ severity }) => severity === 'error').length;
  const name = attribute(file);
  const cases =
    diagnostics.length === 0
      ? [`    <testcase classname="${name}" name="no findings"/>`]
      : diagnostics.map((diagnostic) => testCase(diagnostic));
  return [
    `  <testsuite name="${name}" tests="${cases.length}" failures="${failures}" errors="0" skipped="0">`,
    ...cases,
    '  </testsuite>',
  ].join('\n');
}

function testCase({ code, severity, message, range, hint, path }: Diagnostic): string {
  const { file, start } = range;
  const place = `${file}:${start.line}:${start.column}`;
  const text = hint === undefined ? message : `${message} — ${hint}`;
  const head = `    <testcase classname="${attribute(file)}" name="${attribute(`${code} ${path === '' ? place : path}`)}">`;
  const body =
    severity === 'error'
      ? `      <failure type="${entryOf(code).name}" message="${attribute(text)}">${content(`${place} ${text}`)}</failure>`
      : `      <system-out>${content(`${severity} ${place} ${text}`)}</system-out>`;
  return [head, body, '    </testcase>'].join('\n');
}

function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/** XML 1.0 has no way to say control characters and halves of surrogate pairs. */
function content(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
