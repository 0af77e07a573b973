// The pictures of the explanations as SVG. On the site they are part of the page and have its colors; elsewhere they have those of `var()`.

const folder = 'docs/explanation/diagrams';

/** Colors by use: the variable of the site, and the color elsewhere. */
const colors = {
  text: 'var(--vp-c-text-1, #1f2328)',
  note: 'var(--vp-c-text-2, #57606a)',
  line: 'var(--vp-c-brand-2, #14788a)',
  box: 'var(--vp-c-bg-soft, #f6f8fa)',
  edge: 'var(--vp-c-border, #c2c9d1)',
  bad: 'var(--vp-c-danger-1, #b8272c)',
};

/** From one message of a stream to the next, in units of the picture. */
const CELL = 79;

/** Path from the root to content. */
export function diagramFiles() {
  return Object.fromEntries(
    Object.entries(diagrams).map(([name, { parts, ...about }]) => [
      `${folder}/${name}.svg`,
      picture(name, { ...about, parts: parts.flat() }),
    ]),
  );
}

const diagrams = {
  connection: {
    title: 'The life of a connection',
    width: 720,
    height: 322,
    parts: [
      box([10, 40, 150, 60], 'connecting', ['attempt n']),
      box([285, 40, 150, 60], 'connected', ['messages are read']),
      box([560, 40, 150, 60], 'held up', ['nothing is read']),
      box([285, 200, 150, 60], 'waiting', ['attempt n + 1 next']),
      box([560, 200, 150, 60], 'task FAILED', ['until it is restarted'], 'bad'),
      arrow([
        [160, 70],
        [285, 70],
      ]),
      label(222, 60, 'opened'),
      arrow([
        [435, 60],
        [560, 60],
      ]),
      label(497, 50, 'queue is full'),
      arrow([
        [560, 82],
        [435, 82],
      ]),
      label(497, 100, 'half is free'),
      arrow([
        [360, 100],
        [360, 200],
      ]),
      label(370, 145, 'closed, failed, silent', 'start'),
      label(370, 163, 'for too long', 'start'),
      arrow([
        [285, 240],
        [60, 240],
        [60, 100],
      ]),
      label(172, 230, 'the back-off is over'),
      arrow([
        [110, 100],
        [110, 215],
        [285, 215],
      ]),
      label(172, 205, 'refused'),
      arrow([
        [435, 230],
        [560, 230],
      ]),
      label(497, 204, 'attempts are'),
      label(497, 220, 'used up'),
      label(360, 290, 'Back-off: interval × 2ⁿ⁻¹, at most the upper bound, jitter included.'),
      label(360, 310, 'Attempts count from 1 again after a message, or 30 s of a healthy stream.'),
    ],
  },
  group: {
    title: 'Two workers of a group',
    width: 720,
    height: 526,
    parts: [
      ...[
        [110, 'Worker A'],
        [360, 'Group coordinator'],
        [610, 'Worker B'],
      ].flatMap(([x, title]) => [box([x - 90, 8, 180, 34], title, []), line(x, 42, x === 110 ? 318 : 520)]),
      event(110, 76, 'runs orders and prices'),
      message(610, 360, 112, 'joins'),
      message(360, 110, 142, 'rebalance'),
      event(110, 172, 'stops prices, joins again'),
      message(360, 110, 206, 'keep orders'),
      message(360, 610, 206, 'run prices'),
      event(610, 236, 'prices from its offset'),
      message(110, 360, 270, 'heartbeats'),
      message(610, 360, 270, 'heartbeats'),
      label(110, 336, '✗ killed', 'middle', 'bad'),
      event(360, 372, 'session.timeout.ms (10 s): A is removed'),
      message(360, 610, 410, 'rebalance'),
      event(360, 440, 'scheduled.rebalance.max.delay.ms (5 min)'),
      message(360, 610, 474, 'run orders too'),
      event(610, 508, 'orders from its offset'),
    ],
  },
  resume: {
    title: 'Resuming after a kill',
    width: 720,
    height: 300,
    parts: [
      label(10, 20, 'Messages of the stream at the moment of the kill', 'start', 'text'),
      ...cells(34, 9, (n) => (n <= 4 ? 'done' : n <= 6 ? 'stored' : 'lost')),
      bracket(10, 318, 84, 'offset committed: 4'),
      bracket(326, 476, 84, 'stored in the log'),
      bracket(484, 713, 84, 'in the queue, or on its way'),
      label(10, 150, 'The next task asks for what follows the committed offset', 'start', 'text'),
      ...cells(164, 9, (n) => (n <= 4 ? 'gone' : n <= 6 ? 'twice' : 'again')),
      bracket(326, 476, 214, 'stored a second time'),
      bracket(484, 713, 214, 'read again, stored once'),
      label(
        10,
        268,
        'In transactions, offsets are stored with the records: nothing is stored a second time.',
        'start',
      ),
      label(10, 288, 'A source that cannot resume begins with what is sent next: 7 to 9 are lost.', 'start'),
    ],
  },
  order: {
    title: 'The same rows in one job, and through a topic',
    width: 720,
    height: 372,
    parts: [
      label(10, 20, 'Two partitions of a source: the time of each row, in minutes', 'start', 'text'),
      ...row(34, [1, 2, 3, 4], 'stored', 10),
      ...row(34, [1, 2, 3, 4], 'done', 366),
      bracket(10, 318, 76, 'partition 0'),
      bracket(366, 674, 76, 'partition 1'),
      label(10, 144, 'One job: a watermark for each partition, the smaller one counts', 'start', 'text'),
      ...row(156, [1, 2, 3, 4, 1, 2, 3, 4], (at) => (at < 4 ? 'stored' : 'done'), 10, 70),
      label(10, 212, 'After the first block it is still before 1. The window counts eight rows.', 'start'),
      label(
        10,
        256,
        'Two jobs: the second one reads the topic of the first, in one partition',
        'start',
        'text',
      ),
      ...row(268, [1, 2, 3, 4, 1, 2, 3, 4], (at) => (at < 4 ? 'stored' : 'lost'), 10, 70),
      bracket(290, 562, 306, 'late: the watermark is past them'),
      label(10, 362, 'After the first block it is at 4. The window counts four rows.', 'start'),
    ],
  },
  losses: {
    title: 'What is lost when',
    width: 720,
    height: 330,
    parts: [
      box([10, 20, 110, 56], 'server', ['or client']),
      box([160, 20, 110, 56], 'network', []),
      box([310, 20, 110, 56], 'queue', ['memory']),
      box([460, 20, 110, 56], 'in flight', ['to the log']),
      box([604, 20, 112, 56], 'log', ['acknowledged']),
      ...[120, 270, 420, 567].map((x) =>
        arrow([
          [x, 48],
          [x + 38, 48],
        ]),
      ),
      bracket(160, 270, 92, 'connection breaks'),
      label(215, 132, 'what is sent', 'middle'),
      label(215, 148, 'meanwhile, unless', 'middle'),
      label(215, 164, 'the peer repeats it', 'middle'),
      bracket(310, 570, 92, 'worker is killed'),
      label(440, 132, 'all of it, unless the source resumes', 'middle'),
      label(440, 148, 'or OTLP clients send again', 'middle'),
      bracket(610, 710, 92, 'broker is killed'),
      label(660, 132, 'nothing', 'middle'),
      bracket(310, 420, 192, 'log is away longer than the grace'),
      label(365, 232, 'the newest messages, each counted;', 'middle'),
      label(365, 248, 'with block nothing: the peer waits', 'middle'),
      label(
        360,
        290,
        'A stop (SIGTERM), a slow log and a full queue within the grace lose nothing:',
        'middle',
      ),
      label(360, 310, 'what was received is written first, and the peer is held up.', 'middle'),
    ],
  },
};

function picture(name, { title, width, height, parts }) {
  return `<!-- Generated by tools/reference-docs/diagrams.mjs -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="14">
<title>${title}</title>
<defs><marker id="tip-${name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto"><path d="M0 0 8 4 0 8z" fill="${colors.line}"/></marker></defs>
${parts.join('\n').replaceAll('#tip', `#tip-${name}`)}
</svg>
`;
}

function box([x, y, width, height], title, lines, color = 'edge') {
  const middle = x + width / 2;
  const top = y + height / 2 + 5 - lines.length * 9;
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${colors.box}" stroke="${colors[color]}"/>`,
    `<text x="${middle}" y="${top}" text-anchor="middle" font-weight="600" fill="${colors.text}">${title}</text>`,
    ...lines.map((text, at) => label(middle, top + 18 * (at + 1), text)),
  ].join('\n');
}

function label(x, y, text, anchor = 'middle', color = 'note') {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colors[color]}">${text}</text>`;
}

function arrow(points) {
  const path = points.map(([x, y]) => `${x} ${y}`).join(' L');
  return `<path d="M${path}" fill="none" stroke="${colors.line}" stroke-width="2" marker-end="url(#tip)"/>`;
}

function line(x, from, to) {
  return `<path d="M${x} ${from} V${to}" stroke="${colors.edge}" stroke-dasharray="4 4"/>`;
}

function message(from, to, y, text) {
  const gap = from < to ? 4 : -4;
  return [
    arrow([
      [from + gap, y],
      [to - gap, y],
    ]),
    label((from + to) / 2, y - 7, text),
  ].join('\n');
}

/** Something that happens at a lane, on a ground that hides the line. */
function event(x, y, text) {
  const width = text.length * 7.4 + 12;
  return [
    `<rect x="${x - width / 2}" y="${y - 16}" width="${width}" height="23" rx="5" fill="${colors.box}" stroke="${colors.edge}"/>`,
    label(x, y, text, 'middle', 'text'),
  ].join('\n');
}

function cells(y, count, kindOf) {
  const styles = {
    done: [colors.line, '0.35'],
    stored: [colors.line, '0.15'],
    lost: [colors.bad, '0.15'],
    gone: ['none', '0'],
    twice: [colors.line, '0.35'],
    again: [colors.line, '0.15'],
  };
  return Array.from({ length: count }, (_, at) => {
    const kind = kindOf(at + 1);
    const [fill, opacity] = styles[kind];
    const x = 10 + at * CELL;
    return [
      `<rect x="${x}" y="${y}" width="${CELL - 8}" height="34" rx="6" fill="${fill}" fill-opacity="${opacity}" stroke="${colors.edge}"/>`,
      `<text x="${x + (CELL - 8) / 2}" y="${y + 22}" text-anchor="middle" fill="${kind === 'gone' ? colors.note : colors.text}">${at + 1}</text>`,
    ].join('\n');
  });
}

/** Rows with their times, side by side. */
function row(y, times, kind, from, width = CELL) {
  const fills = { done: [colors.line, '0.35'], stored: [colors.line, '0.15'], lost: [colors.bad, '0.15'] };
  return times.map((time, at) => {
    const [fill, opacity] = fills[typeof kind === 'string' ? kind : kind(at)];
    const x = from + at * width;
    return [
      `<rect x="${x}" y="${y}" width="${width - 8}" height="30" rx="6" fill="${fill}" fill-opacity="${opacity}" stroke="${colors.edge}"/>`,
      `<text x="${x + (width - 8) / 2}" y="${y + 20}" text-anchor="middle" fill="${colors.text}">${time}</text>`,
    ].join('\n');
  });
}

function bracket(from, to, y, text) {
  return [
    `<path d="M${from} ${y} v8 H${to} v-8" fill="none" stroke="${colors.edge}" stroke-width="1.5"/>`,
    label((from + to) / 2, y + 24, text, 'middle', 'text'),
  ].join('\n');
}
