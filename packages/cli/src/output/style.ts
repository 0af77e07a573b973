import type { Terminal } from '../terminal/terminal.ts';

/**
 * Whether to print colors: `--no-color`, then `FORCE_COLOR`, then `NO_COLOR` (no-color.org) and `TERM=dumb`, then whether
 * somebody looks at it.
 */
export function inColor({ env, tty = false }: Pick<Terminal, 'env' | 'tty'>, wanted: boolean): boolean {
  if (!wanted) return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return false;
  return tty;
}

/** Whether the terminal can show more than ASCII, as far as its locale says. */
export function showsUnicode({ env }: Pick<Terminal, 'env'>): boolean {
  if (env['TERM'] === 'dumb' || env['TERM'] === 'linux') return false;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((one) => (one ?? '') !== '');
  return locale === undefined || /utf-?8/i.test(locale);
}

/** What stands for marks of ours that are no ASCII. */
const marks: Readonly<Record<string, string>> = {
  '✓': 'ok:',
  '✗': 'failed:',
  '·': '-',
  '—': '-',
  '→': '->',
  '…': '...',
  '├': '|',
  '└': '`',
  '│': '|',
  '─': '-',
};

/** Text with our own marks in ASCII; what users wrote stays, unless it is one of these. */
export function plainMarks(text: string): string {
  return text.replace(/[✓✗·—→…├└│─]/g, (mark) => marks[mark] ?? mark);
}
