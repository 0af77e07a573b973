import { isReservedWord, parseSql, type SqlNode, type Token, tokenizeSql, walkSql } from '@levada/stream-sql';
import fc from 'fast-check';

/** A token and the text that it is. */
export interface WrittenToken {
  readonly token: Token;
  readonly text: string;
}

/** The tokens of a text as they are written, without its end. */
export function written(text: string): readonly WrittenToken[] {
  return tokenizeSql(text)
    .tokens.filter(({ kind }) => kind !== 'end')
    .map((token) => ({ token, text: text.slice(token.start, token.end) }));
}

/** White space and comments. Each starts with white space: a comment directly after an operator would be part of it. */
export const aGap = fc.constantFrom(
  ' ',
  '\n',
  '\t \r\n',
  ' -- note\n',
  ' /* note */',
  '\n/* a -- b */ ',
  ' // note\n',
);

/** Puts these between the tokens, in turn. */
export function withGaps(text: string, gaps: readonly string[]): string {
  const parts = written(text).map((part, index) => `${gaps[index % gaps.length]}${part.text}`);
  return `${parts.join('')}${gaps[0]}`;
}

/** Writes the keywords that are chosen in small letters. */
export function withCase(text: string, choose: () => boolean): string {
  return written(text)
    .map(({ token, text: part }) => (isKeyword(token) && choose() ? part.toLowerCase() : part))
    .join(' ');
}

/** Puts backticks around the names that are chosen. */
export function withQuotes(text: string, choose: () => boolean): string {
  const names = new Set<number>();
  walkSql(parseSql(text).query as SqlNode, (node) => {
    if (node.kind === 'call') return isPlainCall(node.name[0]?.name) ? undefined : 'skip';
    if (node.kind === 'identifier' && !node.quoted) names.add(node.start);
    return undefined;
  });
  return written(text)
    .map(({ token, text: part }) => {
      const name = token.kind === 'word' && names.has(token.start);
      return name && choose() ? `\`${part}\`` : part;
    })
    .join(' ');
}

/** A word that is one of the language: reserved words are, and names in the texts are not. */
function isKeyword(token: Token): boolean {
  return token.kind === 'word' && isReservedWord(token.keyword);
}

/** Functions with words between their arguments have a syntax of their own only without backticks. */
function isPlainCall(name: string | undefined): boolean {
  return name !== undefined && /^(F|G|TO_TIMESTAMP|CONCAT|IF|IFNULL)$/i.test(name);
}
