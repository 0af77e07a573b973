import { hiddenText } from './secret.ts';

/** Shorter values are left alone: replacing them would make messages unreadable and hide nothing. */
const SHORTEST = 4;

/** Shortest line of a secret of several lines, such as a key in PEM form, that is hidden on its own. */
const SHORTEST_LINE = 16;

/** Values that references often stand for and that are no secrets. */
const harmless: ReadonlySet<string> = new Set(['true', 'false']);

/**
 * A function that replaces known secrets in texts that others wrote (messages of libraries, stack traces) by the mask. Finds
 * them as they are, inside a URL and inside JSON, as printed lists, and line by line. Secrets of fewer than 4 characters are not looked for.
 */
export function scrubber(secrets: Iterable<string>): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) for (const form of formsOf(secret)) forms.add(form);
  // The longest first, so that a secret within another does not leave the rest of it.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((clean, form) => clean.replaceAll(form, () => hiddenText), text);
}

function formsOf(secret: string): readonly string[] {
  const trimmed = secret.trim();
  if (trimmed.length < SHORTEST || harmless.has(trimmed.toLowerCase())) return [];
  const lines = trimmed.split(/[\r\n]+/).filter((line) => line.length >= SHORTEST_LINE);
  const inJson = JSON.stringify(trimmed).slice(1, -1);
  // encodeURIComponent refuses half a surrogate pair.
  return [trimmed, ...lines, ...listForms(trimmed), inJson, encodeURIComponent(trimmed.toWellFormed())];
}

/** A list that was read and printed again, as values and messages of keys of type list show it. */
function listForms(text: string): readonly string[] {
  if (!text.includes(',')) return [];
  const items = text.split(',').map((item) => item.trim());
  return [items.join(','), items.join(', ')];
}
