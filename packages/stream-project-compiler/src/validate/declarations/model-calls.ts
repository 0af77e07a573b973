import { type Call, type Query, type Span, walkSql } from '@levada/stream-sql';

/** A call of a machine-learning model in SQL. */
export interface ModelCall extends Span {
  /** Of the machine-learning model. */
  readonly model: string;
  /** In upper case: `ML_PREDICT`. */
  readonly function: string;
}

/**
 * The machine-learning models that a query calls: `ML_PREDICT('fraud', a)`, or `ML_PREDICT(TABLE t, MODEL fraud, …)`. Undefined when a
 * call names its model in another way, so that it cannot be told which.
 */
export function modelCalls(query: Query): readonly ModelCall[] | undefined {
  const calls: (ModelCall | undefined)[] = [];
  walkSql(query, (node) => {
    if (node.kind === 'call' && /^ML_/i.test(node.name.at(-1)?.name ?? '')) calls.push(modelCall(node));
    return undefined;
  });
  const named = calls.filter((call) => call !== undefined);
  return named.length === calls.length ? named : undefined;
}

function modelCall(call: Call): ModelCall | undefined {
  const name = call.name.at(-1)?.name.toUpperCase() ?? '';
  for (const { value } of call.arguments) {
    if (value.kind === 'model-argument' && value.model.kind === 'table-name') {
      const { start, end, path } = value.model;
      return { model: path.at(-1)?.name ?? '', function: name, start, end };
    }
  }
  const first = call.arguments[0]?.value;
  if (first?.kind !== 'literal' || first.type !== 'string') return undefined;
  return { model: first.value, function: name, start: first.start, end: first.end };
}
