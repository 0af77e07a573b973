import type { RowsCase } from '../rows-case.ts';

/** A case of one model that reads sources. */
export type SingleCase = Omit<RowsCase, 'models' | 'sources'> & {
  readonly sql: string;
  readonly key?: string | readonly string[];
  readonly yaml?: RowsCase['models'][number]['yaml'];
};

/** Makes the case. */
export function single({ sql, key, yaml, ...rest }: SingleCase): RowsCase {
  const sources = [...new Set([...sql.matchAll(/source\("(\w+)"\)/g)].map(([, name = '']) => name))];
  const model = {
    name: 'result',
    sql,
    ...(key === undefined ? {} : { key }),
    ...(yaml === undefined ? {} : { yaml }),
  };
  return { ...rest, sources, models: [model] };
}

export const ORDERS = '{{ source("orders") }}';
export const PAYMENTS = '{{ source("payments") }}';
