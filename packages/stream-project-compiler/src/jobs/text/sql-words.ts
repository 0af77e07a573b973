/** A name as the engine's SQL takes it whatever it is: in backticks, with those inside of it doubled. Holds no variables either. */
export function identifier(name: string): string {
  return `\`${withoutVariables(name).replaceAll('`', '``')}\``;
}

/** Names in the form of a list. */
export function identifiers(names: readonly string[]): string {
  return names.map(identifier).join(', ');
}

/**
 * Text as a literal of the engine's SQL. Jobs are read with variables, `${NAME}`, and so what would begin one is written `$${`.
 */
export function literal(text: string): string {
  return quoted(withoutVariables(text));
}

/** Text with variables, `password=${SASL_PASSWORD}`, as a literal: they stay as they are written. */
export function literalWithVariables(text: string): string {
  return quoted(text);
}

/** Text in which nothing is a variable. The function is there because "$" has a meaning in a text that replaces another. */
export function withoutVariables(text: string): string {
  return text.replaceAll('${', () => '$${');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** An option of a table: its key, and its value as a literal. */
export type TableOption = readonly [key: string, value: string];

/** An option whose value holds no variables. */
export function option(key: string, value: string): TableOption {
  return [key, literal(value)];
}

/** `WITH (...)`, an option a line. */
export function withOptions(options: readonly TableOption[]): string {
  return `WITH (\n${options.map(([key, value]) => `  ${literal(key)} = ${value}`).join(',\n')}\n)`;
}

/** A setting of the session that runs a job. */
export function setStatement(key: string, value: string): string {
  return `SET ${literal(key)} = ${literal(value)}`;
}
