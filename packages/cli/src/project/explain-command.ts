import { catalogue, type DiagnosticCode, findCode } from '@levada/stream-project-compiler';
import { nearestName } from '@levada/stream-project-schema';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** Version of the shape of {@link codeJson}. */
export const codeJsonSchema = 'levada.project-code/1';

/** `levada project explain <code>`: what a code means. */
export async function explainCommand(
  name: string,
  { format }: { readonly format: 'text' | 'json' },
  terminal: Terminal,
): Promise<void> {
  const code = findCode(name) ?? findCode(name.toUpperCase());
  if (code === undefined) throw unknownName(name);
  terminal.out(format === 'json' ? `${JSON.stringify(codeJson(code), undefined, 2)}\n` : codeText(code));
}

function codeJson(code: DiagnosticCode): object {
  const { name, title, severity, doc } = catalogue[code];
  return { schema: codeJsonSchema, code, name, title, severity, fixed: 'fixed' in catalogue[code], doc };
}

function codeText(code: DiagnosticCode): string {
  const { name, title, severity, doc } = catalogue[code];
  const policy =
    'fixed' in catalogue[code]
      ? 'Its severity is fixed, because a part of the project is missing afterwards.'
      : `Another severity: --severity ${name}=warning (or error, info, off). One place: # levada-disable-next-line ${code}`;
  return `${code}  ${name}  (${severity})\n${title}\n\n${doc}\n\n${policy}\n`;
}

function unknownName(name: string): CommandError {
  const near = nearestName(
    name,
    Object.values(catalogue).map((entry) => entry.name),
  );
  return new CommandError(
    exitCodes.problems,
    `there is no code "${name}"`,
    near === undefined ? undefined : `did you mean "${near}"?`,
  );
}
