/** Who signs on. */
export interface JaasLogin {
  /** Simple name of the login module, for example `ScramLoginModule`. */
  readonly module: string;
  readonly options: ReadonlyMap<string, string>;
}

/** One word, one quoted text with back-slash escapes, or one sign; white space before it does not count. */
const token = /\s*(?:"((?:[^"\\]|\\.)*)"|([=;])|([^\s"=;]+))/sy;

/**
 * Reads the value of `sasl.jaas.config`: `<module> required [name=value ...];`, values quoted or not, as JAAS has it.
 * Undefined when it cannot be read. What is wrong is not said more exactly, because it could be the password.
 */
export function parseJaas(text: string): JaasLogin | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined || tokens.length < 3) return undefined;
  const [moduleName, flag, ...rest] = tokens;
  if (rest.pop()?.sign !== ';' || moduleName?.text === undefined || flag?.text === undefined)
    return undefined;
  if (!/^(required|requisite|sufficient|optional)$/i.test(flag.text)) return undefined;
  const options = readOptions(rest);
  const module = moduleName.text.split('.').at(-1) ?? '';
  return options === undefined ? undefined : { module, options };
}

interface Token {
  readonly text?: string;
  readonly sign?: string;
}

function tokenize(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const trimmed = text.trim();
  let at = 0;
  while (at < trimmed.length) {
    token.lastIndex = at;
    const match = token.exec(trimmed);
    if (match === null) return undefined;
    const [whole, quoted, sign, word] = match;
    if (sign !== undefined) tokens.push({ sign });
    else tokens.push({ text: quoted === undefined ? (word ?? '') : unescaped(quoted) });
    at += whole.length;
  }
  return tokens;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter);
}

function readOptions(tokens: readonly Token[]): ReadonlyMap<string, string> | undefined {
  const options = new Map<string, string>();
  if (tokens.length % 3 !== 0) return undefined;
  for (let i = 0; i < tokens.length; i += 3) {
    const [name, equals, value] = tokens.slice(i, i + 3);
    if (name?.text === undefined || equals?.sign !== '=' || value?.text === undefined) return undefined;
    options.set(name.text, value.text);
  }
  return options;
}

const comment = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const entry = /([^\s{};"]+|"[^"]*")\s*\{((?:"(?:[^"\\]|\\.)*"|[^"}])*)\}\s*;/g;
const login = /(?:"(?:[^"\\]|\\.)*"|[^";])*;/g;

/**
 * The logins of an entry of a JAAS file, `<name> { <module> required [name=value ...]; ... };`, in their order. Undefined when there is no such
 * entry, or it cannot be read.
 */
export function jaasEntry(text: string, name: string): readonly JaasLogin[] | undefined {
  const plain = text.replace(comment, (_, quoted: string | undefined) => quoted ?? ' ');
  for (const [, found = '', body = ''] of plain.matchAll(entry)) {
    if (found.replaceAll('"', '') !== name) continue;
    const logins = (body.match(login) ?? []).map(parseJaas);
    return logins.every((one) => one !== undefined) && logins.length > 0 ? logins : undefined;
  }
  return undefined;
}
