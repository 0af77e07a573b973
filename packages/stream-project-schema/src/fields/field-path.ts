/** Keys and list indices from the top of a document to a value: `['models', 0, 'sink']`. */
export type FieldPath = readonly (string | number)[];

/**
 * Splits a path in text: `models[0].sink.config`, `sources[].columns[].name` (any item), `clusters.<cluster>.rest_url`
 * (any key of a map). A key with a dot or bracket can only be said in an array.
 */
export function parsePath(text: string): FieldPath {
  return [...text.matchAll(/\[(\d*)\]|[^.[\]]+/g)].map(([part, index]) => {
    if (index === undefined) return part;
    return index === '' ? '[]' : Number(index);
  });
}

/** The path in text, list indices in brackets: `models[0].sink.config`. */
export function formatPath(path: FieldPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (step === '[]') return `${text}[]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}
