/** Attributes of MBeans by canonical name; null for numbers that are not finite. */
export type Beans = Readonly<Record<string, Readonly<Record<string, BeanValue>>>>;

/** A value as JSON has it. */
export type BeanValue = number | string | null;

interface Rule {
  /** Matches `<canonical name> <attribute>`, in which the worker's address is `<worker>`. */
  readonly of: RegExp;
  /** Why both need not be the same. */
  readonly because: string;
  readonly holds: (java: BeanValue | undefined, ours: BeanValue | undefined) => boolean;
}

const numbers =
  (holds: (java: number, ours: number) => boolean): Rule['holds'] =>
  (java, ours) =>
    typeof java === 'number' && typeof ours === 'number' && holds(java, ours);
const both = (fits: (value: number) => boolean) => numbers((java, ours) => fits(java) && fits(ours));
const bothMeasured: Rule['holds'] = (java, ours) =>
  java === null ? ours === null : both((value) => value >= 0)(java, ours);

/** Where values may differ; the first rule that matches counts. Every other value is the same on both sides. */
const rules: readonly Rule[] = [
  {
    of: /^kafka\.connect:type=(app-info|kafka-metrics-count) |[:,]id=.*type=app-info |type=(connect-metrics|connect-node-metrics|kafka-metrics-count) /,
    because: "they describe Kafka's network client, or repeat the program's version",
    holds: (_, ours) => ours === undefined,
  },
  {
    of: /client-id=metrics-.*type=producer-metrics /,
    because: 'the internal topics have one producer here, which belongs to no task',
    holds: (_, ours) => ours === undefined,
  },
  {
    of: /client-id=connector-producer-failing-0,.* record-send-total$/,
    because: 'series of a failed task stay here; Java forgets its producer',
    holds: (java, ours) => java === undefined && ours === 2,
  },
  {
    of: /client-id=connector-producer-failing-0,/,
    because: 'series of a failed task stay here; Java forgets its producer',
    holds: (java, ours) => java === undefined && ours !== undefined,
  },
  {
    of: /client-id=connector-producer-.* record-(send|error)-total$/,
    because: 'the only rows of this bean that we have, with the rates',
    holds: (java, ours) => java === ours,
  },
  {
    of: /client-id=connector-producer-.* record-(send|error)-rate$/,
    because: 'a rate is sampled: see below',
    holds: numbers(isSameRate),
  },
  {
    of: /client-id=connector-producer-/,
    because: "most attributes of Java's producer belong to its own network client",
    holds: (_, ours) => ours === undefined,
  },
  {
    of: / (version|commit-id|connector-version)$/,
    because: 'the programs have versions of their own',
    holds: (java, ours) => typeof java === 'string' && typeof ours === 'string' && ours !== '',
  },
  { of: / start-time-ms$/, because: 'both have a start of their own', holds: both((ms) => isRecent(ms)) },
  {
    of: / task-startup-(attempts-total|success-total)$/,
    because: 'Java 3.9 counts no start of a task that succeeds',
    holds: (java, ours) => java === 0 && ours === 4,
  },
  {
    of: / task-startup-success-percentage$/,
    because: 'Java 3.9 counts no start of a task that succeeds',
    holds: (java, ours) => java === 0 && ours === 1,
  },
  {
    of: /connector=failing,.* source-record-write-total$/,
    because: 'Java counts a batch when its last record has an outcome, so nothing of one that fails',
    holds: (java, ours) => java === 0 && ours === 2,
  },
  {
    of: /connector=failing,.* source-record-active-count$/,
    because: 'in Java the rest of a batch that failed stays on its way forever',
    holds: (java, ours) => java === 600 && ours === 0,
  },
  {
    of: /connector=failing,.* source-record-(write-rate|active-count-avg|active-count-max)$/,
    because: 'they follow from the two above',
    holds: both((value) => value >= 0),
  },
  {
    of: / source-record-active-count-(max|avg)$/,
    because: 'it depends on how far the log is when the next batch is polled',
    holds: (java, ours) =>
      java === null ? ours === null : both((value) => value >= 0 && value <= 3000)(java, ours),
  },
  {
    of: / source-record-(poll|write)-rate$/,
    because: 'a rate is over the time since its first sample, 30 s at least',
    holds: numbers(isSameRate),
  },
  { of: / batch-size-(max|avg)$/, because: 'lines are read as they come', holds: bothMeasured },
  {
    of: /connector=(lines|numbers),.* running-ratio$/,
    because: 'it takes time to start',
    holds: both((share) => share > 0.5 && share <= 1),
  },
  {
    of: /connector=paused,.* pause-ratio$/,
    because: 'it takes time to pause',
    holds: both((share) => share > 0.5 && share <= 1),
  },
  { of: / (running|pause)-ratio$/, because: 'see above', holds: both((share) => share >= 0 && share < 0.5) },
  {
    of: / (offset-commit|poll-batch)-(max|avg)-time-ms$/,
    because: 'machines take time',
    holds: bothMeasured,
  },
  {
    of: /connector=(numbers|failing),.* last-error-timestamp$/,
    because: 'both fail at a time of their own',
    holds: both((ms) => isRecent(ms)),
  },
  {
    of: / leader-name$/,
    because: 'each leads its own group',
    holds: (java, ours) => /^http:.*\/$/.test(String(java)) && /^http:.*\/$/.test(String(ours)),
  },
  {
    of: / (epoch|completed-rebalances-total|(heartbeat|join|sync|rebalance)-total)$/,
    because: 'Java rebalances for every change of a connector, ours in a group of one only at the start',
    holds: both((count) => count >= 1),
  },
  {
    of: /type=(connect-worker-rebalance-metrics|connect-coordinator-metrics) .*(time|rate|latency|seconds-ago|failed)/,
    because: 'see above, and machines take time',
    holds: bothMeasured,
  },
];

/** What differs without a rule, or other than its rule says. */
export function beanDifferences(java: Beans, ours: Beans): readonly string[] {
  const sides = [flat(java), flat(ours)] as const;
  const names = new Set(sides.flatMap((side) => [...side.keys()]));
  return [...names].flatMap((name) => {
    const [expected, actual] = [sides[0].get(name), sides[1].get(name)];
    const rule = rules.find(({ of }) => of.test(name));
    const holds = rule === undefined ? expected === actual : rule.holds(expected, actual);
    return holds ? [] : [`${name}: ${String(expected)} in Java, ${String(actual)} here`];
  });
}

function flat(beans: Beans): ReadonlyMap<string, BeanValue> {
  return new Map(
    Object.entries(beans).flatMap(([bean, attributes]) => {
      const name = bean.replace(/127\.0\.0\.1:\d+/, '<worker>');
      return Object.entries(attributes).map(([attribute, value]) => [`${name} ${attribute}`, value] as const);
    }),
  );
}

function isSameRate(java: number, ours: number): boolean {
  return java === 0 ? ours === 0 : ours > java / 2 && ours < java * 2;
}

function isRecent(ms: number): boolean {
  return Math.abs(Date.now() - ms) < 600_000;
}
