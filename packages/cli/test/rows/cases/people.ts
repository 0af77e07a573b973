import { createHash } from 'node:crypto';
import type { RowsCase } from '../rows-case.ts';
import { partition, projectFile } from './project-rows.ts';

const files = {
  'stream_project.yml': projectFile('people'),
  'sources/people.yml': `sources:
  - name: people
    topic: PREFIX.source.people
    columns:
      - { name: person_id, type: BIGINT }
      - { name: email, type: STRING, classification: sensitive }
      - { name: card, type: STRING, classification: sensitive }
      - { name: note, type: STRING, classification: sensitive }
      - { name: salary, type: "DECIMAL(10, 2)", classification: sensitive }
      - { name: city, type: STRING }
      - { name: changed_at, type: TIMESTAMP(3) }
    event_time: { column: changed_at }
`,
  'models/people.yml': `models:
  - name: masked_people
    key: person_id
    sql: |
      SELECT person_id, email, card, note, salary, city
      FROM {{ source("people") }}
      WHERE person_id IS NOT NULL
    security:
      policies:
        - mask: { column: email, method: hash }
        - mask: { column: card, method: partial }
        - mask: { column: note, method: redact }
        - mask: { column: salary, method: "null" }
    advanced: { topic: { name: PREFIX.masked_people } }

  - name: moves
    sql: |
      SELECT person_id, city, previous_city, moved_at
      FROM (
        SELECT person_id, city, changed_at AS moved_at,
          LAG(city) OVER (PARTITION BY person_id ORDER BY changed_at) AS previous_city
        FROM {{ source("people") }}
        WHERE person_id IS NOT NULL
      )
      WHERE city IS DISTINCT FROM previous_city
    advanced: { topic: { name: PREFIX.moves } }

  - name: stays
    sql: |
      SELECT *
      FROM {{ source("people") }}
      MATCH_RECOGNIZE (
        PARTITION BY person_id
        ORDER BY changed_at
        MEASURES A.city AS city, CAST(A.changed_at AS TIMESTAMP(3)) AS valid_from, CAST(B.changed_at AS TIMESTAMP(3)) AS valid_to
        ONE ROW PER MATCH
        AFTER MATCH SKIP TO LAST B
        PATTERN (A B)
        DEFINE B AS TRUE
      ) AS m
    advanced: { topic: { name: PREFIX.stays } }
`,
};

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const day = (time: string) => `2026-11-01 ${time}`;
const move = (person_id: number, city: string | null, previous_city: string | null, time: string) => ({
  person_id,
  city,
  previous_city,
  moved_at: day(time),
});
const stay = (person_id: number | null, city: string | null, from: string, to: string) => ({
  person_id,
  city,
  valid_from: day(from),
  valid_to: day(to),
});
const masked = (
  person_id: number,
  email: string | null,
  card: string | null,
  note: string | null,
  city: string | null,
) => ({
  person_id,
  email,
  card,
  note,
  salary: null,
  city,
});

/** Masks of every method that the engine has, and where people lived from when to when. */
export const people: RowsCase = {
  name: 'people',
  construct: 'project: masks, and a slowly changing dimension',
  sources: [],
  models: [{ name: 'masked_people' }, { name: 'moves' }, { name: 'stays' }],
  project: {
    files,
    sources: {
      people: {
        partitions: 2,
        before: [
          ...partition(
            0,
            `
{"person_id":1,"email":"ada@example.com","card":"4111111111111111","note":"likes 'quotes'","salary":10,"city":"Porto","changed_at":"2026-11-01 00:30:00"}
{"person_id":1,"email":"ada@example.com","card":"123","note":"","salary":null,"city":"Porto","changed_at":"2026-11-01 01:30:00"}
{"person_id":1,"email":"","card":"","note":null,"salary":20,"city":"Lisboa","changed_at":"2026-11-01 02:30:00"}
{"person_id":null,"email":null,"card":null,"note":null,"salary":null,"city":null,"changed_at":"2026-11-01 06:00:00"}`,
          ),
          ...partition(
            1,
            `
{"person_id":2,"email":"zoë@example.com","card":"12345","note":"x","salary":1.5,"city":null,"changed_at":"2026-11-01 00:00:00"}
{"person_id":2,"email":null,"card":null,"note":"y","salary":1.5,"city":"Faro","changed_at":"2026-11-01 01:00:00"}
{"person_id":3,"email":"a","card":"1234","note":"z","salary":0,"city":"Faro","changed_at":"2026-11-01 06:00:00"}`,
          ),
        ],
        after: partition(
          1,
          '{"person_id":2,"email":"b","card":"😀abcd","note":"y","salary":1.5,"city":null,"changed_at":"2026-11-01 07:00:00"}',
        ),
      },
    },
  },
  judge: {
    masked_people: [
      masked(1, sha('ada@example.com'), '************1111', '***', 'Porto'),
      masked(1, sha('ada@example.com'), '****', '***', 'Porto'),
      masked(1, sha(''), '****', null, 'Lisboa'),
      masked(2, sha('zoë@example.com'), '*2345', '***', null),
      masked(2, null, null, '***', 'Faro'),
      masked(2, sha('b'), '*abcd', '***', null),
      masked(3, sha('a'), '****', '***', 'Faro'),
    ],
    moves: [
      move(1, 'Porto', null, '00:30:00'),
      move(1, 'Lisboa', 'Porto', '02:30:00'),
      move(2, 'Faro', null, '01:00:00'),
      move(2, null, 'Faro', '07:00:00'),
      move(3, 'Faro', null, '06:00:00'),
    ],
    stays: [
      stay(1, 'Porto', '00:30:00', '01:30:00'),
      stay(1, 'Porto', '01:30:00', '02:30:00'),
      stay(2, null, '00:00:00', '01:00:00'),
      stay(2, 'Faro', '01:00:00', '07:00:00'),
    ],
  },
};
