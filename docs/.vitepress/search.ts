// The site is built with the texts of these functions, so they use nothing from around them.

/** What people look for first: start pages, guides and explanations, then the reference; decisions and pages for contributors last. */
export function weightOfPage(id: string): number {
  const weights: readonly (readonly [RegExp, number])[] = [
    [/\/packages\/registry-/, 4],
    [/\/(?:start|guides|explanation)\//, 3],
    [/\/packages\/(?:source-|runtime-server|connect-transforms)/, 1.5],
    [/\/reference\/diagnostics\//, 1.5],
    [/\/reference\/diagnostics/, 0.3],
    [/\/reference\/(?:rest|command-line)/, 1.5],
    [/\/(?:decisions\/|architecture|contributing|api-principles)/, 0.2],
  ];
  return weights.find(([pattern]) => pattern.test(id))?.[1] ?? 1;
}

/** Normalizes a word of a query; null for a word that nearly every page has. */
export function wordOfQuery(word: string): string | null {
  const small = word.toLowerCase();
  return /^(?:an?|and|are|can|do|does|for|from|how|i|in|is|it|my|of|on|or|the|to|what|when|with)$/.test(small)
    ? null
    : small;
}
