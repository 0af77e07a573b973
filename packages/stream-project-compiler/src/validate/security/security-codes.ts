import type { CodeTable } from '../../diagnostics/diagnostic.ts';

/** Codes of 33xx: how sensitive columns are, and what is done about it. */
export const securityCodes = {
  'sensitive-column-unmasked': {
    code: 'LV3301',
    title: 'Sensitive column that leaves the project unmasked',
    severity: 'warning',
    doc: 'A column that is `sensitive` or `highly_sensitive` reaches a sink, or an exposure that consumes it, without a mask on the way. The path names every column from where the classification is declared. The level of a column is the declared one, or else the highest level of the columns that it is derived from: filters, join conditions and groupings do not count, nor do counts and hashes (`COUNT`, `SHA256`), but the smallest, largest, first, average or summed value of a group does, since a group may have one member. Mask the column in a model on the path, or, where an expression removes what is sensitive, declare the lower classification in the model that has the expression. A mask with `for_roles` protects an exposure that reads the model itself and whose `access.roles` are all among them; connectors and jobs have no role and read the value. Where `rules.security.sensitive_columns_require_masking` asks for masks, this is the error LV3302.',
  },
  'rule-sensitive-requires-masking': {
    code: 'LV3302',
    title: 'Sensitive column without a required mask',
    severity: 'error',
    doc: '`rules.security.sensitive_columns_require_masking` requires a mask on every `sensitive` or `highly_sensitive` column that reaches a sink or an exposure, which is a warning (LV3301) without the rule, and for a mask, for everybody or for roles, on every such column of a model that others read: one with `access: public`, or one that nothing in the project reads, so that its readers are outside. Models in between may contain the value. What counts is the lineage of the column, not its name.',
  },
  'rule-require-classification': {
    code: 'LV3303',
    title: 'Column without a classification',
    severity: 'error',
    doc: '`rules.security.require_classification` requires a classification of every column that a source lists; processing-time columns contain no data of the records and need none. Columns of models inherit the classification of the columns that they are derived from, so a column of a model is reported only if it is derived from a column that its source does not list.',
  },
  'classification-lowered': {
    code: 'LV3304',
    title: 'Classification lower than the data',
    severity: 'warning',
    doc: 'The model passes a column through unchanged and declares it less sensitive than its input. The value is the same, so the higher classification still applies. Mask the column, or change it with an expression: for expressions the declaration counts.',
  },
  'classification-twice': {
    code: 'LV3305',
    title: 'Two classifications of one column',
    severity: 'warning',
    doc: 'The model declares different classifications in `columns` and in `security.classification`. The higher one applies. Remove one.',
  },
  'policy-not-enforced': {
    code: 'LV3310',
    title: 'Security policy without enforcement',
    severity: 'warning',
    doc: 'A mask for all readers is part of the SQL of its model, or of the configuration of its connector. A mask for some roles needs a gateway between the topic and its readers, and so do policies other than masks; a model without SQL cannot apply a mask.',
  },
  'mask-type': {
    code: 'LV3311',
    title: 'Mask that does not fit its column',
    severity: 'warning',
    doc: 'The masks `hash`, `redact`, `partial` and `tokenize` produce text. Numbers and dates are turned into text first, and the column has the type STRING. But a hash of a BOOLEAN is one of two values that anyone can compute; arrays, maps, multisets and rows cannot be masked as a whole; and a masked time attribute is no longer a time attribute. The mask `null` fits every column.',
  },
  'mask-twice': {
    code: 'LV3312',
    title: 'Duplicate mask',
    severity: 'warning',
    doc: 'Two policies mask the same column for all readers, or for the same role. The first one applies. Masks for different roles are allowed.',
  },
  'mask-tokenize': {
    code: 'LV3313',
    title: 'Mask "tokenize" without a function',
    severity: 'warning',
    doc: 'The engine has no function for reversible tokens. Register one on the cluster, or use `hash`, which keeps equal values equal.',
  },
  'mask-key': {
    code: 'LV3314',
    title: 'Mask on the key of the model',
    severity: 'warning',
    doc: 'The key decides the partition of a record and which records replace each other. The masks `null`, `redact` and `partial` map different keys to one value: all records go to one partition, and compaction keeps only one of them. Use `hash` or `tokenize`, which keep different values distinct.',
  },
  'mask-connector': {
    code: 'LV3315',
    title: 'Mask that connectors do not support',
    severity: 'error',
    doc: 'A mask in a sink model is applied by transformations of Kafka Connect, which can replace text with `***` (`redact`) or take a field out (`null`). No transformation makes a hash, a partial value or a token, or puts text in place of a number. Mask the column in the model that the sink reads.',
  },
  'mask-secret': {
    code: 'LV4190',
    title: 'Secret of a mask that is not a variable',
    severity: 'error',
    doc: 'The secret of a keyed hash is replaced where the job is deployed, and no file of the project or of the compilation has it. So it is one variable without a default, and not empty. Who knows it can compute the hash of any value that they guess; so can everybody who may see the plan of the job in the web interface of the engine.',
  },
  'mask-secret-unused': {
    code: 'LV4191',
    title: 'Secret of a mask that nothing applies',
    severity: 'error',
    doc: 'Only the mask `hash` of a model with SQL, for all readers, takes a `secret`: the job computes the keyed hash. Gateways apply masks for some roles and those of virtual topics, and have no keyed hash in common. Without the secret the values would be hashed in a way that can be looked up.',
  },
  'dead-letters-unmasked': {
    code: 'LV4192',
    title: 'Dead letters with a sensitive column in clear',
    severity: 'warning',
    doc: 'Records that fail go to a topic of dead letters as they are. The `dlq` of a continuous test copies every column of the topic under test, while violations have `***` in place of sensitive ones; dead letters of a sink are records before its masks. Who reads that topic sees the values. Mask the column in a model, and test that model or let the sink read it, or protect the topic as the one that it is copied from.',
  },
  'virtual-topic-policy': {
    code: 'LV3360',
    title: 'Security policy that a virtual topic does not support',
    severity: 'error',
    doc: 'A model with `advanced.gateway` is compiled to a virtual topic, of which masks are the only policies. Any other entry of its `security.policies` would be lost. Set such a policy at the gateway, or remove `advanced.gateway`. While `runtime.vendor.gateway` is missing, only that is reported.',
  },
} as const satisfies CodeTable;
