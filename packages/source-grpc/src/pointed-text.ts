import { pointerValue } from '@levada/connect-runtime-core/source-kit';

/** Finds a text in a document. */
export type PointedText = (document: unknown) => string | undefined;

/** What a JSON pointer leads to, as text: strings as they are, the rest as JSON; undefined for null or nothing. */
export function pointedText(pointer: string): PointedText {
  const valueIn = pointerValue(pointer);
  return (document) => {
    const value = valueIn(document);
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
}
