import type { CodeTable } from '../../diagnostics/diagnostic.ts';

/** Codes of 33xx: how sensitive columns are, and what is done about it. */
export const securityCodes = {
  'sensitive-column-unmasked': {
    code: 'LV3301',
    title: 'A sensitive column that leaves the project unmasked',
    severity: 'warning',
    doc: 'A column that is `sensitive` or `highly_sensitive` reaches a sink, or an exposure that consumes it, without a mask on the way. The path names every column from where the classification is declared. A column has what is declared about it, or else the highest level of the columns that it is made of: filters, join conditions and groupings do not count, nor do counts and hashes (`COUNT`, `SHA256`), but the smallest, largest, first, average or summed value of a group does, since a group may have one member. Mask the column in a model on the path, or, where an expression takes away what is sensitive, declare the lower classification in the model that has the expression. A mask with `for_roles` protects an exposure that reads the model itself and whose `access.roles` are all among them; connectors and jobs have no role and read the value. Where `rules.security.sensitive_columns_require_masking` asks for masks, this is the error LV3302.',
  },
  'rule-sensitive-requires-masking': {
    code: 'LV3302',
    title: 'A sensitive column without the mask that a rule asks for',
    severity: 'error',
    doc: '`rules.security.sensitive_columns_require_masking` asks for a mask on every `sensitive` or `highly_sensitive` column that reaches a sink or an exposure, which is a warning (LV3301) without the rule, and for a mask, for everybody or for roles, on every such column of a model that others read: one with `access: public`, or one that nothing in the project reads, so that its readers are outside. Models in between may hold the value. What counts is the lineage of the column, not its name.',
  },
  'rule-require-classification': {
    code: 'LV3303',
    title: 'A column without a classification',
    severity: 'error',
    doc: '`rules.security.require_classification` asks every column that a source lists for a classification; processing-time columns hold nothing of the records and need none. Columns of models have those of the columns that they are made of, so a column of a model is reported only when it is made of a column that its source does not list.',
  },
  'classification-lowered': {
    code: 'LV3304',
    title: 'A classification below what the column holds',
    severity: 'warning',
    doc: 'The model hands a column on as it is and declares it less sensitive than it comes in. That does not change the value, so the higher classification goes on. Mask the column, or change it by an expression: what an expression takes away only its author knows, so there the declaration counts.',
  },
  'classification-twice': {
    code: 'LV3305',
    title: 'Two classifications of one column',
    severity: 'warning',
    doc: 'The model says one thing about the column in `columns` and another in `security.classification`. The higher one counts. Remove one.',
  },
  'policy-not-enforced': {
    code: 'LV3310',
    title: 'A security policy that nothing enforces',
    severity: 'warning',
    doc: 'A mask for everybody is part of the SQL of its model, or of the configuration of its connector. A mask for some roles needs a gateway between the topic and its readers, and so do policies other than masks; a model without SQL has nothing that could mask.',
  },
  'mask-type': {
    code: 'LV3311',
    title: 'A mask that does not suit its column',
    severity: 'warning',
    doc: 'The masks `hash`, `redact`, `partial` and `tokenize` make text. Numbers and dates are turned into text first, which is fine, and readers find the type STRING. But a hash of a BOOLEAN is one of two values that everybody can compute; arrays, maps, multisets and rows are no values that can be masked as a whole; and a time attribute that is masked is none any more. The mask `null` suits every column.',
  },
  'mask-twice': {
    code: 'LV3312',
    title: 'Two masks for the same readers of a column',
    severity: 'warning',
    doc: 'Two policies mask one column for everybody, or for the same role. The first one counts. Masks for different roles are fine.',
  },
  'mask-tokenize': {
    code: 'LV3313',
    title: 'A token that the engine cannot make',
    severity: 'warning',
    doc: 'The engine has no function that makes tokens which can be reversed. Register one on the cluster, or use `hash`, which keeps equal values equal.',
  },
  'mask-key': {
    code: 'LV3314',
    title: 'A mask on the key of the model',
    severity: 'warning',
    doc: 'The key decides the partition of a record and which records replace each other. The masks `null`, `redact` and `partial` give different keys one value: all records go to one partition, and compaction keeps one of them. Use `hash` or `tokenize`, which keep different values apart.',
  },
  'mask-connector': {
    code: 'LV3315',
    title: 'A mask that connectors cannot make',
    severity: 'warning',
    doc: 'A mask in a sink model is made by the connector, and what connectors come with can only replace values by null or by a fixed text. For `hash`, `partial` and `tokenize` mask the column in the model that the sink reads.',
  },
  'virtual-topic-policy': {
    code: 'LV3360',
    title: 'A security policy that a virtual topic does not carry',
    severity: 'error',
    doc: 'A model with `advanced.gateway` is compiled to a virtual topic: a name, the physical topic and a compression. Its `security.policies` would be lost, and readers would get every value as it is. Mask the column in the model that the virtual topic reads, or remove `advanced.gateway`. While `runtime.vendor.gateway` is missing, only that is reported.',
  },
} as const satisfies CodeTable;
