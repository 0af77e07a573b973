/**
 * The TypeScript type of what a row accepts, after `${VAR}` was replaced. Defaults are not applied: a key that may be
 * left out may be undefined. Planned keys are in no type.
 */
export type ValueOf<F> = F extends { readonly type: 'text' }
  ? string
  : F extends { readonly type: 'integer' | 'number' }
    ? number
    : F extends { readonly type: 'boolean' }
      ? boolean
      : F extends { readonly type: 'enum'; readonly values: infer V }
        ? EnumValue<F, V>
        : F extends { readonly type: 'scalar' }
          ? ScalarValue<F>
          : NestedValue<F>;

type NestedValue<F> = F extends { readonly type: 'list'; readonly items: infer I }
  ? readonly ValueOf<I>[]
  : F extends { readonly type: 'map'; readonly values: infer V }
    ? Readonly<Record<string, ValueOf<V>>>
    : F extends { readonly type: 'object'; readonly fields: infer S }
      ? ObjectValue<S> & OpenValue<F>
      : F extends { readonly type: 'choice'; readonly fields: infer S }
        ? ChoiceValue<S> | OpenChoice<F>
        : F extends { readonly type: 'union'; readonly options: readonly (infer O)[] }
          ? ValueOf<O>
          : unknown;

type EnumValue<F, V> =
  | Extract<keyof V, string>
  | (F extends { readonly otherwise: string } ? string & Record<never, never> : never);

type ScalarValue<F> = string | number | boolean | (F extends { readonly orNull: true } ? null : never);

type ObjectValue<S> = {
  readonly [K in keyof S as S[K] extends { readonly required: true } ? K : never]: ValueOf<S[K]>;
} & {
  readonly [K in keyof S as S[K] extends { readonly required: true } | { readonly status: 'planned' }
    ? never
    : K]?: ValueOf<S[K]> | undefined;
};

type OpenValue<F> = F extends { readonly open: true } ? Readonly<Record<string, unknown>> : unknown;

type ChoiceValue<S> = { [K in keyof S]: { readonly [P in K]: ValueOf<S[K]> } }[keyof S];

type OpenChoice<F> = F extends { readonly open: true } ? Readonly<Record<string, unknown>> : never;
