import type { RowsCase } from '../rows-case.ts';
import { jsonLines, partition, projectFile } from './project-rows.ts';

const files = {
  'stream_project.yml': projectFile('fraud'),
  'sources/cards.yml': `sources:
  - name: transactions
    topic: PREFIX.source.transactions
    columns:
      - { name: tx_id, type: STRING }
      - { name: card, type: STRING }
      - { name: amount, type: "DECIMAL(10, 2)" }
      - { name: country, type: STRING }
      - { name: made_at, type: TIMESTAMP(3) }
    event_time:
      column: made_at
      watermark: { max_out_of_orderness_ms: 10000 }
`,
  'models/fraud.yml': `models:
  - name: valid_transactions
    sql: |
      SELECT tx_id, card, amount, country, made_at
      FROM {{ source("transactions") }}
      WHERE amount > 0 AND card IS NOT NULL
    advanced: { topic: { name: PREFIX.valid_transactions } }

  - name: bursts
    sql: |
      SELECT card, window_start, window_end, COUNT(*) AS transactions, SUM(amount) AS amount
      FROM TABLE(HOP(TABLE {{ ref("valid_transactions") }}, DESCRIPTOR(made_at), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE))
      GROUP BY card, window_start, window_end
      HAVING COUNT(*) >= 3
    advanced: { topic: { name: PREFIX.bursts } }

  - name: travels
    sql: |
      SELECT a.card, a.tx_id AS first_tx, b.tx_id AS second_tx
      FROM {{ ref("valid_transactions") }} AS a
      JOIN {{ ref("valid_transactions") }} AS b
        ON a.card = b.card AND a.country <> b.country
        AND b.made_at BETWEEN a.made_at AND a.made_at + INTERVAL '1' HOUR
    advanced: { topic: { name: PREFIX.travels } }

  - name: tests_of_cards
    sql: |
      SELECT card, small_tx, large_tx
      FROM {{ ref("valid_transactions") }}
      MATCH_RECOGNIZE (
        PARTITION BY card
        ORDER BY made_at
        MEASURES S.tx_id AS small_tx, L.tx_id AS large_tx
        ONE ROW PER MATCH
        AFTER MATCH SKIP PAST LAST ROW
        PATTERN (S L) WITHIN INTERVAL '1' MINUTE
        DEFINE S AS S.amount < 1, L AS L.amount > 500
      ) AS m
    advanced: { topic: { name: PREFIX.tests_of_cards } }

  - name: alerts
    sql: |
      SELECT card, 'travel' AS reason, second_tx AS tx_id FROM {{ ref("travels") }}
      UNION ALL
      SELECT card, 'test' AS reason, large_tx AS tx_id FROM {{ ref("tests_of_cards") }}
    advanced: { topic: { name: PREFIX.alerts } }
`,
};

const valid = `
{"tx_id":"t1","card":"c1","amount":10,"country":"PT","made_at":"2026-03-29 10:00:00"}
{"tx_id":"t2","card":"c1","amount":20,"country":"PT","made_at":"2026-03-29 10:00:30"}
{"tx_id":"t3","card":"c1","amount":30,"country":"PT","made_at":"2026-03-29 10:01:10"}
{"tx_id":"t4","card":"c2","amount":0.5,"country":"DE","made_at":"2026-03-29 10:02:00"}
{"tx_id":"t5","card":"c2","amount":900,"country":"DE","made_at":"2026-03-29 10:02:20"}
{"tx_id":"t9","card":"c1","amount":5,"country":"FR","made_at":"2026-03-29 10:30:00"}
{"tx_id":"t12","card":"c8","amount":1,"country":"PT","made_at":"2026-03-29 11:00:00"}`;

const validToo = `
{"tx_id":"t7","card":"c3","amount":40,"country":"ES","made_at":"2026-03-29 10:00:00"}
{"tx_id":"t7","card":"c3","amount":40,"country":"ES","made_at":"2026-03-29 10:00:00"}
{"tx_id":"t10","card":"c3","amount":41,"country":null,"made_at":"2026-03-29 10:10:00"}
{"tx_id":"t11","card":"c9","amount":1,"country":"PT","made_at":"2026-03-29 11:00:00"}`;

const validLater = `
{"tx_id":"t14","card":"c1","amount":700,"country":"PT","made_at":"2026-03-29 11:05:00"}`;

/** With it, card c2 would have had a burst. */
const late = `
{"tx_id":"t13","card":"c2","amount":15,"country":"DE","made_at":"2026-03-29 10:01:30"}`;

const validLaterToo = `
{"tx_id":"t15","card":"c3","amount":1,"country":"PT","made_at":"2026-03-29 11:06:00"}`;

const burst = (from: string, to: string) => ({
  card: 'c1',
  window_start: `2026-03-29 ${from}:00`,
  window_end: `2026-03-29 ${to}:00`,
  transactions: 3,
  amount: 60,
});

/** Too many payments with a card, payments in two countries, and a small payment before a large one. */
export const fraud: RowsCase = {
  name: 'fraud',
  construct: 'project: fraud',
  sources: [],
  models: [
    { name: 'valid_transactions' },
    { name: 'bursts' },
    { name: 'travels' },
    { name: 'tests_of_cards' },
    { name: 'alerts' },
  ],
  project: {
    files,
    sources: {
      transactions: {
        partitions: 2,
        before: [
          ...partition(0, valid),
          ...partition(
            0,
            '{"tx_id":"t6","card":null,"amount":5,"country":null,"made_at":"2026-03-29 11:00:01"}',
          ),
          ...partition(1, validToo),
          ...partition(
            1,
            '{"tx_id":"t8","card":"c3","amount":-1,"country":"ES","made_at":"2026-03-29 11:00:01"}',
          ),
          ...partition(
            1,
            '{"tx_id":"t16","card":"c3","amount":null,"country":"ES","made_at":"2026-03-29 11:00:02"}',
          ),
        ],
        after: [...partition(0, validLater), ...partition(1, validLaterToo), ...partition(0, late, 'key')],
      },
    },
  },
  judge: {
    valid_transactions: jsonLines([valid, validToo, validLater, validLaterToo, late].join('')),
    bursts: [
      burst('09:57', '10:02'),
      burst('09:58', '10:03'),
      burst('09:59', '10:04'),
      burst('10:00', '10:05'),
    ],
    travels: jsonLines(`
{"card":"c1","first_tx":"t1","second_tx":"t9"}
{"card":"c1","first_tx":"t2","second_tx":"t9"}
{"card":"c1","first_tx":"t3","second_tx":"t9"}
{"card":"c1","first_tx":"t9","second_tx":"t14"}`),
    tests_of_cards: jsonLines('{"card":"c2","small_tx":"t4","large_tx":"t5"}'),
    alerts: jsonLines(`
{"card":"c1","reason":"travel","tx_id":"t9"}
{"card":"c1","reason":"travel","tx_id":"t9"}
{"card":"c1","reason":"travel","tx_id":"t9"}
{"card":"c1","reason":"travel","tx_id":"t14"}
{"card":"c2","reason":"test","tx_id":"t5"}`),
  },
};
