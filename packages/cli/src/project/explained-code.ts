import { type DiagnosticCode, entryOf } from '@levada/stream-project-compiler';
import { outputShapes } from './output-shapes.ts';

/** A code of the catalogue as data for `JSON.stringify`. */
export function codeJson(code: DiagnosticCode): object {
  const { name, title, severity, doc } = entryOf(code);
  return { schema: outputShapes.code, code, name, title, severity, fixed: isFixed(code), doc };
}

/** A code of the catalogue for people. */
export function codeText(code: DiagnosticCode): string {
  const { name, title, severity, doc } = entryOf(code);
  const policy = isFixed(code)
    ? 'Its severity is fixed, because a part of the project is missing afterwards.'
    : `Another severity: --severity ${name}=warning (or error, info, off). One place: # levada-disable-next-line ${code}`;
  return `${code}  ${name}  (${severity})\n${title}\n\n${doc}\n\n${policy}\n`;
}

function isFixed(code: DiagnosticCode): boolean {
  return entryOf(code).fixed === true;
}
