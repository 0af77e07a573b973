import type { LineageEdge, LineageNode } from './compiled.ts';

const WIDTH = 150;
const HEIGHT = 46;
const GAP_X = 28;
const GAP_Y = 16;

export interface PlacedNode extends LineageNode {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

/** A picture of a graph: boxes in columns from left to right, each in a column after all that it reads. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly nodeWidth: number;
  readonly nodeHeight: number;
  readonly nodes: readonly PlacedNode[];
  /** One path of SVG for each edge. */
  readonly paths: readonly string[];
}

/** `nodes` are ordered: each is after what it reads. In a cycle, edges may lead back. */
export function lineagePicture(nodes: readonly LineageNode[], edges: readonly LineageEdge[]): Picture {
  const columns = new Map<string, number>();
  for (const { id } of nodes) {
    const before = edges.filter(({ to }) => to === id).map(({ from }) => columns.get(from) ?? -1);
    columns.set(id, Math.max(-1, ...before) + 1);
  }
  const filled = new Map<number, number>();
  const placed = nodes.map((node): PlacedNode => {
    const column = columns.get(node.id) ?? 0;
    const row = filled.get(column) ?? 0;
    filled.set(column, row + 1);
    const label = node.name.length > 20 ? `${node.name.slice(0, 19)}…` : node.name;
    return { ...node, label, x: column * (WIDTH + GAP_X) + 1, y: row * (HEIGHT + GAP_Y) + 1 };
  });
  const byId = new Map(placed.map((node) => [node.id, node]));
  const paths = edges.flatMap(({ from, to }) => {
    const [start, end] = [byId.get(from), byId.get(to)];
    return start === undefined || end === undefined ? [] : [curve(start, end)];
  });
  return {
    width: Math.max(1, ...placed.map(({ x }) => x + WIDTH + 1)),
    height: Math.max(1, ...placed.map(({ y }) => y + HEIGHT + 1)),
    nodeWidth: WIDTH,
    nodeHeight: HEIGHT,
    nodes: placed,
    paths,
  };
}

function curve(from: PlacedNode, to: PlacedNode): string {
  const [x1, y1] = [from.x + WIDTH, from.y + HEIGHT / 2];
  const [x2, y2] = [to.x, to.y + HEIGHT / 2];
  const bend = Math.max(GAP_X / 2, (x2 - x1) / 2);
  return `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
}
