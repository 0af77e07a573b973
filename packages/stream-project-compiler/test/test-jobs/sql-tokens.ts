/** A piece of SQL: a literal, a quoted name, a comment, or anything else. */
export interface SqlToken {
  readonly kind: 'text' | 'name' | 'comment' | 'other';
  /** Without quotes. */
  readonly value: string;
}

/**
 * Reads the engine's SQL character by character, by its documentation alone and not with the project's parser: quotes are doubled
 * inside of quotes and nothing else is special there; comments are `--` to the end of the line and `/* ... *` + `/`.
 */
export function sqlTokens(sql: string): readonly SqlToken[] {
  const found: SqlToken[] = [];
  let at = 0;
  const quoted = (mark: string): string => {
    let value = '';
    at += 1;
    while (at < sql.length) {
      if (sql[at] !== mark) value += sql[at];
      else if (sql[at + 1] === mark) {
        value += mark;
        at += 1;
      } else break;
      at += 1;
    }
    if (sql[at] !== mark) throw new Error(`no end of ${mark}`);
    at += 1;
    return value;
  };
  const until = (end: string): string => {
    const start = at;
    const place = sql.indexOf(end, at);
    at = place < 0 ? sql.length : place + end.length;
    return sql.slice(start, at);
  };
  while (at < sql.length) {
    const rest = sql.slice(at, at + 2);
    if (rest.startsWith("'")) found.push({ kind: 'text', value: quoted("'") });
    else if (rest.startsWith('`')) found.push({ kind: 'name', value: quoted('`') });
    else if (rest === '--') found.push({ kind: 'comment', value: until('\n') });
    else if (rest === '/*') found.push({ kind: 'comment', value: until('*/') });
    else {
      const [word = ' '] = /^(?:\s+|\w+|[^\s\w])/.exec(sql.slice(at, at + 200)) ?? [];
      at += word.length;
      if (word.trim() !== '') found.push({ kind: 'other', value: word });
    }
  }
  return found;
}
