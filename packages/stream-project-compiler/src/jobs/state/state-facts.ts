import type { StateAggregate, StateColumn, StateInput, StatePart, StateSide } from './state-part.ts';

/** The value of a fact, as texts where it is a list. */
export type StateValue = string | number | boolean | readonly string[];

/** A fact of a part: `size_ms`, `keys`, `left.columns`. */
export interface StateFact {
  readonly fact: string;
  readonly value: StateValue;
  /** Types by the texts of the value, where it is a list of columns or aggregates. */
  readonly types?: ReadonlyMap<string, string>;
}

/** What a part says of itself, apart from its name, its fingerprint and how long it keeps what it has. */
export function stateFacts(part: StatePart): readonly StateFact[] {
  const { kind: _, name: __, keeps: ___, ttl_ms: ____, fingerprint: _____, ...facts } = part;
  return Object.entries(facts).flatMap(([fact, value]) => factsOf(fact, value as FactValue));
}

type FactValue = StateValue | StateSide | readonly (StateColumn | StateAggregate | StateInput)[];

function factsOf(fact: string, value: FactValue): readonly StateFact[] {
  if (typeof value !== 'object') return [{ fact, value }];
  if ('columns' in value) {
    return [
      { fact: `${fact}.from`, value: inputText(value) },
      ...factsOf(`${fact}.keys`, value.keys),
      ...factsOf(`${fact}.columns`, value.columns),
    ];
  }
  const types = new Map<string, string>();
  const texts = value.map((one) => {
    if (typeof one === 'string') return one;
    if ('from' in one) return inputText(one);
    if ('name' in one) {
      types.set(one.name, one.type);
      return one.name;
    }
    types.set(one.call, [...one.arguments, one.type].join(', '));
    return one.call;
  });
  return [types.size === 0 ? { fact, value: texts } : { fact, value: texts, types }];
}

function inputText({ from, filtered }: StateInput): string {
  return filtered === true ? `${from}, filtered` : from;
}
