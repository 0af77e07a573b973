import type { TextFormat } from './formats.ts';

/**
 * How far a key takes effect: `supported` (the default when a row says nothing); `parsed`: read and checked, no effect
 * yet ("parsed only"); `planned`: known, not accepted yet, so writing it is an error that says so; `extension`: accepted
 * beyond the format's own tables.
 */
export type FieldStatus = 'supported' | 'parsed' | 'planned' | 'extension';

/** What a text names. `topic-or-model` is a model, else a source, else a literal topic. */
export type ReferenceKind =
  | 'source'
  | 'model'
  | 'model-or-source'
  | 'topic-or-model'
  | 'column'
  | 'engine-cluster'
  | 'connect-cluster';

/** Words of a closed list, each with what it means. */
export type Vocabulary = Readonly<Record<string, string>>;

/** What every row says. */
interface FieldFacts {
  /** One or more sentences for people: hover text in editors, cell in the reference, text of a completion. */
  readonly doc: string;
  /** The key must be there. Default: it may be left out. */
  readonly required?: true;
  /** When a key that is not always required is: prose for the reference; {@link Constraint}s are what is checked. */
  readonly requiredWhen?: string;
  readonly status?: FieldStatus;
  /** The value is never printed. */
  readonly secret?: true;
  /** Paths (`models[].topic`) at which people write this key though it belongs here. */
  readonly movedFrom?: readonly string[];
}

/** Text. A number or a boolean without quotes is none. */
export interface TextField extends FieldFacts {
  readonly type: 'text';
  readonly default?: string;
  /** At least one character. */
  readonly notEmpty?: true;
  readonly format?: TextFormat;
  readonly refersTo?: ReferenceKind;
  /** Words to offer; others are as good. */
  readonly suggestions?: readonly string[];
}

/** A whole number of at most 2^53 - 1. */
export interface IntegerField extends FieldFacts {
  readonly type: 'integer';
  readonly default?: number;
  readonly min: number;
  readonly max?: number;
  readonly unit?: 'ms' | 's' | 'min';
}

/** A finite number. */
export interface NumberField extends FieldFacts {
  readonly type: 'number';
  readonly default?: number;
  readonly min?: number;
  readonly max?: number;
}

export interface BooleanField extends FieldFacts {
  readonly type: 'boolean';
  readonly default?: boolean;
}

/** One word of a closed list. Where the list has the word `null`, YAML's null stands for it. */
export interface EnumField extends FieldFacts {
  readonly type: 'enum';
  readonly values: Vocabulary;
  readonly default?: string;
  /** Text of this format is accepted beside the words. */
  readonly otherwise?: TextFormat;
}

/** Text, a number or a boolean, as written. */
export interface ScalarField extends FieldFacts {
  readonly type: 'scalar';
  readonly orNull?: true;
}

/** Whatever YAML can say. */
export interface AnyField extends FieldFacts {
  readonly type: 'any';
}

export interface ListField extends FieldFacts {
  readonly type: 'list';
  readonly items: Field;
}

/** Keys that the user names. */
export interface MapField extends FieldFacts {
  readonly type: 'map';
  /** What a key is, in one or two words: `cluster`, `column`. Paths show it as `<cluster>`. */
  readonly keys: string;
  readonly keyFormat?: TextFormat;
  readonly values: Field;
  /** Values are secret, at any depth, whose keys name a secret (`namesSecret`). */
  readonly secretKeys?: true;
}

/** An object whose keys the format names. */
export interface ObjectField extends FieldFacts {
  readonly type: 'object';
  readonly fields: Section;
  /** Keys beyond `fields` are accepted. Default: they are errors. */
  readonly open?: true;
  readonly constraints?: readonly Constraint[];
}

/** An object with exactly one of the keys, which determines its kind: `{ref: ...}`, `{not_null: ...}`. */
export interface ChoiceField extends FieldFacts {
  readonly type: 'choice';
  readonly fields: Section;
  /** A key beyond `fields` is accepted. Default: it is an error. */
  readonly open?: true;
}

/** A value of one of several shapes. No two options have the same YAML kind, so the kind decides. */
export interface UnionField extends FieldFacts {
  readonly type: 'union';
  readonly options: readonly Field[];
}

/** A value that holds no others. */
export type LeafField = TextField | IntegerField | NumberField | BooleanField | EnumField | ScalarField;

/** A value that may hold others. */
export type NestingField = AnyField | ListField | MapField | ObjectField | ChoiceField | UnionField;

/** One row: all there is to know of one key, but for its name. */
export type Field = LeafField | NestingField;

/** Rows by key, in the order in which the reference shows them. */
export type Section = Readonly<Record<string, Field>>;

/** A condition between the keys of one object. Paths are dotted and relative to it: `advanced.sink`. */
export type Constraint =
  /** When every key of `has` and none of `lacks` is there, one of `needs` must be; the first is the one to report. */
  | {
      readonly kind: 'needs';
      readonly has?: readonly string[];
      readonly lacks?: readonly string[];
      readonly needs: readonly [string, ...string[]];
      readonly message: string;
    }
  /** At most one of the keys may be there; the second is the one to report. */
  | { readonly kind: 'excludes'; readonly keys: readonly [string, string]; readonly message: string };

const leafTypes: ReadonlySet<string> = new Set<LeafField['type']>([
  'text',
  'integer',
  'number',
  'boolean',
  'enum',
  'scalar',
]);

/** Whether values of a row hold no others. */
export function isLeaf(field: Field): field is LeafField {
  return leafTypes.has(field.type);
}
