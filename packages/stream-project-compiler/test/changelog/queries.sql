SELECT product, COUNT(*) AS c FROM o GROUP BY product HAVING COUNT(*) > 3
SELECT product, c FROM (SELECT product, COUNT(*) AS c FROM o GROUP BY product) WHERE c > 2
SELECT * FROM rates WHERE ratio > 1
SELECT * FROM rates
SELECT c, COUNT(*) AS n FROM (SELECT product, COUNT(*) AS c FROM o GROUP BY product) GROUP BY c
SELECT COUNT(*) AS n FROM o
SELECT DISTINCT currency FROM rates
SELECT o.id, r.ratio FROM o JOIN rates r ON o.product = r.currency
SELECT r.currency, r.ratio, q.currency AS qc FROM rates r JOIN rates q ON r.currency = q.currency
SELECT r.currency, c FROM rates r JOIN (SELECT product AS currency, COUNT(*) AS c FROM o GROUP BY product) q ON r.currency = q.currency
SELECT r.currency, c FROM rates r LEFT JOIN (SELECT product AS currency, COUNT(*) AS c FROM o GROUP BY product) q ON r.currency = q.currency
SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS rn FROM o) WHERE rn = 1
SELECT id, qty FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts ASC) AS rn FROM o) WHERE rn = 1
SELECT id, qty FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY pt ASC) AS rn FROM o) WHERE rn = 1
SELECT id, qty FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY pt DESC) AS rn FROM o) WHERE rn = 1
SELECT id, qty, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY qty DESC) AS rn FROM o) WHERE rn <= 3
SELECT id, qty FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY qty DESC) AS rn FROM o) WHERE rn <= 3
SELECT id, qty FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY qty DESC) AS rn FROM o) WHERE rn = 1
SELECT id, qty FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY qty DESC) AS rn FROM o) WHERE rn = 2
SELECT id, qty FROM (SELECT *, RANK() OVER (PARTITION BY id ORDER BY qty DESC) AS rn FROM o) WHERE rn <= 2
SELECT currency, ratio, rn FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY ratio DESC) AS rn FROM rates) WHERE rn <= 3
SELECT currency, ratio FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY ratio DESC) AS rn FROM rates) WHERE rn <= 3
SELECT product FROM o UNION SELECT oid FROM pay
SELECT currency FROM rates UNION ALL SELECT id FROM o
SELECT currency FROM rates INTERSECT SELECT id FROM o
SELECT id FROM o EXCEPT SELECT oid FROM pay
SELECT id FROM o INTERSECT SELECT oid FROM pay
SELECT id FROM o INTERSECT ALL SELECT oid FROM pay
SELECT id, qty FROM o ORDER BY qty LIMIT 5
SELECT id, qty FROM o ORDER BY ts LIMIT 5
SELECT id, qty FROM o ORDER BY ts
SELECT currency, ratio FROM rates LIMIT 5
SELECT currency, ratio FROM rates ORDER BY uts
SELECT id FROM o WHERE id IN (SELECT currency FROM rates)
SELECT id FROM o WHERE id NOT IN (SELECT oid FROM pay)
SELECT id FROM o WHERE EXISTS (SELECT 1 FROM pay WHERE pay.oid = o.id)
SELECT id FROM o WHERE NOT EXISTS (SELECT 1 FROM pay WHERE pay.oid = o.id)
SELECT currency, COUNT(*) AS c FROM rates GROUP BY currency
SELECT ratio, COUNT(*) AS c FROM rates GROUP BY ratio
SELECT product, COUNT(*) FILTER (WHERE qty > 1) AS c FROM o GROUP BY product, customer
SELECT UPPER(product) AS p, COUNT(*) AS c FROM o GROUP BY UPPER(product)
SELECT product, customer, COUNT(*) AS c FROM o GROUP BY GROUPING SETS ((product), (customer))
SELECT product, customer, COUNT(*) AS c FROM o GROUP BY ROLLUP (product, customer)
SELECT o.id, r.ratio FROM o JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.product = r.currency
SELECT c.product, c.n, r.ratio FROM (SELECT product, COUNT(*) AS n FROM o GROUP BY product) c JOIN rates r ON c.product = r.currency
SELECT o.id, o.ts FROM o JOIN pay p ON o.id = p.oid AND p.pts BETWEEN o.ts - INTERVAL '1' MINUTE AND o.ts
SELECT o.id, o.ts FROM o, pay p WHERE o.id = p.oid AND p.pts BETWEEN o.ts - INTERVAL '1' MINUTE AND o.ts
SELECT o.id, o.ts FROM o JOIN pay p ON o.id = p.oid AND p.pts >= o.ts - INTERVAL '1' MINUTE
SELECT o.id, o.ts FROM o JOIN pay p ON o.id = p.oid AND p.pts = o.ts
SELECT o.id, o.ts FROM o FULL JOIN pay p ON o.id = p.oid
SELECT o.id, o.ts FROM o CROSS JOIN pay p
SELECT id, (SELECT COUNT(*) FROM pay) AS m FROM o
SELECT product, MAX(qty) AS m FROM o GROUP BY product
SELECT CAST(product AS STRING) AS p, c FROM (SELECT product, COUNT(*) AS c FROM o GROUP BY product)
SELECT p, c FROM (SELECT product AS p, product AS p2, COUNT(*) AS c FROM o GROUP BY product)
SELECT DISTINCT product, qty FROM o
SELECT window_start, window_end, currency, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE rates, DESCRIPTOR(uts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, currency
SELECT id, SUM(qty) OVER (PARTITION BY product ORDER BY qty) AS s FROM o
SELECT id, RANK() OVER (PARTITION BY product ORDER BY ts) AS s FROM o
SELECT id, COUNT(*) AS c FROM o GROUP BY id, ts
SELECT currency, ratio FROM rates WHERE currency = 'EUR'
SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY currency ORDER BY uts DESC) AS rn FROM rates) WHERE rn = 1
SELECT a.currency, b.product FROM rates a LEFT JOIN o b ON a.currency = b.product
SELECT a.currency, b.product FROM o b LEFT JOIN rates a ON a.currency = b.product
SELECT * FROM (SELECT id, qty, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS n FROM o) WHERE n < 2
WITH latest AS (SELECT id, product, ts, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS rn FROM o) SELECT product, COUNT(*) AS c FROM latest WHERE rn = 1 GROUP BY product
SELECT id, product FROM o QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) = 1
SELECT id, product, ROW_NUMBER() OVER (PARTITION BY product ORDER BY qty DESC) AS rn FROM o QUALIFY rn <= 3
SELECT window_start, window_end, product, SUM(qty) AS q FROM TABLE(TUMBLE(TABLE o, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, product
SELECT window_end, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE o, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_end
SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY q DESC) AS rn FROM (SELECT window_start, window_end, product, SUM(qty) AS q FROM TABLE(TUMBLE(TABLE o, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, product)) WHERE rn <= 3
SELECT L.id, R.pid FROM (SELECT * FROM TABLE(TUMBLE(TABLE o, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) L JOIN (SELECT * FROM TABLE(TUMBLE(TABLE pay, DESCRIPTOR(pts), INTERVAL '1' MINUTE))) R ON L.id = R.oid AND L.window_start = R.window_start AND L.window_end = R.window_end
SELECT TUMBLE_START(ts, INTERVAL '1' MINUTE) AS w, product, COUNT(*) AS c FROM o GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE), product
SELECT id, t.tag FROM o CROSS JOIN UNNEST(tags) AS t(tag)
SELECT currency, t.n FROM rates CROSS JOIN UNNEST(ARRAY[1, 2]) AS t(n)
SELECT a, b FROM o MATCH_RECOGNIZE (PARTITION BY product ORDER BY ts MEASURES A.id AS a, B.id AS b ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B) DEFINE B AS B.qty > A.qty)
SELECT currency FROM rates WHERE currency NOT IN (SELECT product FROM o)
SELECT o.id, p.amount FROM o LEFT JOIN pay p ON o.id = p.oid
SELECT o.id, p.amount, o.ts FROM o LEFT JOIN pay p ON o.id = p.oid AND p.pts BETWEEN o.ts AND o.ts + INTERVAL '10' MINUTE
SELECT x.product, x.c, y.m FROM (SELECT product, COUNT(*) AS c FROM o GROUP BY product) x JOIN (SELECT product, MAX(qty) AS m FROM o GROUP BY product) y ON x.product = y.product
SELECT x.product AS xp, y.product AS yp FROM (SELECT product, COUNT(*) AS c FROM o GROUP BY product) x FULL JOIN (SELECT product, MAX(qty) AS m FROM o GROUP BY product) y ON x.product = y.product
SELECT c.product, COUNT(*) AS n FROM (SELECT DISTINCT product, customer FROM o) c GROUP BY c.product
SELECT id, SUM(qty) OVER w AS s FROM o WINDOW w AS (PARTITION BY product ORDER BY ts)
SELECT id FROM o LIMIT 3
SELECT COUNT(DISTINCT customer) AS c FROM o HAVING COUNT(*) > 1
SELECT product, customer, COUNT(*) AS c FROM o GROUP BY customer, product
SELECT customer, c FROM (SELECT product, customer, COUNT(*) AS c FROM o GROUP BY customer, product)
SELECT MAX(c) AS m FROM (SELECT product, COUNT(*) AS c FROM o GROUP BY product)
SELECT r.currency, r.ratio, o.id FROM rates r JOIN o ON o.product = r.currency AND o.id = r.currency
SELECT o.id, (SELECT ratio FROM rates WHERE currency = o.product) AS r FROM o
SELECT id FROM (SELECT * FROM TABLE(TUMBLE(TABLE o, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) L WHERE NOT EXISTS (SELECT 1 FROM (SELECT * FROM TABLE(TUMBLE(TABLE pay, DESCRIPTOR(pts), INTERVAL '1' MINUTE))) R WHERE L.id = R.oid AND L.window_start = R.window_start AND L.window_end = R.window_end)
SELECT id FROM (SELECT * FROM TABLE(TUMBLE(TABLE o, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) L WHERE NOT EXISTS (SELECT 1 FROM (SELECT * FROM TABLE(TUMBLE(TABLE pay, DESCRIPTOR(pts), INTERVAL '1' MINUTE))) R WHERE L.id = R.oid AND L.window_start = R.window_start)
SELECT currency, uts, ratio FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY uts ORDER BY ratio DESC) AS rn FROM rates) WHERE rn <= 3
SELECT currency, uts, ratio, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY uts ORDER BY ratio DESC) AS rn FROM rates) WHERE rn <= 3
SELECT currency, uts, ratio FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY currency ORDER BY ratio DESC) AS rn FROM rates) WHERE rn <= 3
SELECT currency, ratio FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY ratio DESC) AS rn FROM rates) WHERE rn <= 3
SELECT currency, ratio FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY FLOOR(ratio) ORDER BY uts DESC) AS rn FROM rates) WHERE rn = 1
