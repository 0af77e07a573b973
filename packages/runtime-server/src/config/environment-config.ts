/** A worker key from a variable, and the variable's name. */
export interface EnvironmentEntry {
  readonly key: string;
  readonly value: string;
  readonly variable: string;
}

/**
 * Worker keys from `CONNECT_*` variables, as container images of Kafka Connect map them: prefix off, lower case, `___` to
 * `_`, `__` to `-`, `_` to `.`. `CONNECT_BOOTSTRAP_SERVERS` is `bootstrap.servers`.
 */
export function environmentConfig(
  environment: Readonly<Record<string, string | undefined>>,
): readonly EnvironmentEntry[] {
  return Object.entries(environment).flatMap(([variable, value]) =>
    variable.startsWith('CONNECT_') && variable.length > 'CONNECT_'.length && value !== undefined
      ? [{ key: keyOf(variable.slice('CONNECT_'.length)), value, variable }]
      : [],
  );
}

const separators: Readonly<Record<string, string>> = { ___: '_', __: '-', _: '.' };

function keyOf(name: string): string {
  return name.toLowerCase().replace(/_{1,3}/g, (underscores) => separators[underscores] as string);
}
