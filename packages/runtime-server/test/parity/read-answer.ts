import type { GoldenCase } from './golden-case.ts';

/** The body of an answer: parsed JSON, shortened for the view, or text; undefined when empty. */
export function readAnswer(text: string, view: GoldenCase['view']): unknown {
  if (text === '') return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return text;
  }
  return view === undefined ? json : shortValidation(json as Validation);
}

interface Validation {
  readonly name: string;
  readonly error_count: number;
  readonly groups: readonly string[];
  readonly configs: readonly {
    readonly definition: { readonly default_value: string | null } | null;
    readonly value: {
      readonly name: string;
      readonly value: string | null;
      readonly errors: readonly string[];
    };
  }[];
}

function shortValidation({ name, error_count, groups, configs }: Validation): object {
  const set = configs.filter(({ definition, value }) => value.value !== (definition?.default_value ?? null));
  const wrong = configs.filter(({ value }) => value.errors.length > 0);
  return {
    name,
    error_count,
    groups: groups.slice(7),
    count: configs.length,
    values: Object.fromEntries(set.map(({ value }) => [value.name, value.value])),
    errors: Object.fromEntries(wrong.map(({ value }) => [value.name, value.errors])),
  };
}
