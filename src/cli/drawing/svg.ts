/**
 * A picture as an SVG that needs nothing else: the cells of the layout with some pixels each, and a
 * font in which every letter is as wide as a cell.
 */
import { type Box, type Layout, type Line, layoutOf, type Words } from '../../drawing/layout.ts';
import type { Picture } from '../../drawing/picture.ts';

const CELL = { width: 8, height: 18 } as const;
/** Around everything, and above it for the title. */
const MARGIN = 16;
const TITLE = 24;

const STYLE = [
  'text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #1a202c; }',
  '.title { font-weight: bold; }',
  '.box { fill: #ffffff; stroke: #2d3748; }',
  '.round { fill: #edf2f7; stroke: #2d3748; }',
  '.region { fill: #f7fafc; stroke: #a0aec0; }',
  '.mark { fill: #fff3c4; stroke: #b7791f; stroke-width: 2; }',
  '.detail { fill: #4a5568; }',
  '.way { fill: none; stroke: #4a5568; }',
  '.back { stroke-dasharray: 4 3; }',
  '.words { fill: #ffffff; }',
].join('\n    ');

export function drawSvg(picture: Picture): string {
  const layout = layoutOf(picture);
  const { width, height } = sizeOf(layout, picture.title);
  const boxes = [...layout.boxes].map(boxOf);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`,
    `  viewBox="0 0 ${width} ${height}" role="img">`,
    `  <title>${escaped(picture.title)}</title>`,
    `  <style>\n    ${STYLE}\n  </style>`,
    '  <defs><marker id="point" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8"',
    '    markerHeight="8" orient="auto">',
    '    <path d="M0,0 L8,4 L0,8 z" fill="#4a5568"/></marker></defs>',
    `  <rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `  <text class="title" x="${MARGIN}" y="${MARGIN + 8}">${escaped(picture.title)}</text>`,
    ...boxes,
    ...layout.lines.map(lineOf),
    ...layout.words.map(wordsOf),
    '</svg>\n',
  ].join('\n');
}

function sizeOf({ width, height }: Layout, title: string): { width: number; height: number } {
  return {
    width: Math.max(width, title.length) * CELL.width + 2 * MARGIN,
    height: height * CELL.height + TITLE + 2 * MARGIN,
  };
}

/** The middle of a cell. */
function at(x: number, y: number): { x: number; y: number } {
  return {
    x: MARGIN + x * CELL.width + CELL.width / 2,
    y: MARGIN + TITLE + y * CELL.height + CELL.height / 2,
  };
}

function boxOf({ node, x, y, width, height }: Box): string {
  const corner = at(x, y);
  const other = at(x + width - 1, y + height - 1);
  const size = `width="${other.x - corner.x}" height="${other.y - corner.y}"`;
  const radius = node.shape === 'box' ? 2 : 10;
  const kind = node.mark === undefined ? node.shape : `${node.shape} mark`;
  const rect = `  <rect class="${kind}" x="${corner.x}" y="${corner.y}" ${size} rx="${radius}"/>`;
  const said = node.mark === undefined ? node.lines : [...node.lines, node.mark];
  const texts = node.shape === 'region' && said.length > 0 ? [said.join(' ')] : said;
  const middle = (corner.x + other.x) / 2;
  const lines = texts.map((text, line) => {
    const style = line === 0 ? '' : ' class="detail"';
    const row = at(x, y + 1 + line).y + 4;
    return node.shape === 'region'
      ? `  <text x="${corner.x + 10}" y="${corner.y + 13}">${escaped(text)}</text>`
      : `  <text${style} x="${middle}" y="${row}" text-anchor="middle">${escaped(text)}</text>`;
  });
  return [rect, ...lines].join('\n');
}

/** To the border itself: a point of the layout is the cell above it. */
function lineOf({ points, isBack, arrow }: Line): string {
  const last = points.at(-1);
  const ends = last === undefined || !arrow ? points : [...points, { x: last.x, y: last.y + 1 }];
  const path = ends.map(({ x, y }) => {
    const place = at(x, y);
    return `${place.x},${place.y}`;
  });
  const marker = arrow ? ' marker-end="url(#point)"' : '';
  return `  <polyline class="way${isBack ? ' back' : ''}" points="${path.join(' ')}"${marker}/>`;
}

function wordsOf({ x, y, text }: Words): string {
  const left = at(x, y);
  const length = Array.from(text).length * CELL.width;
  const top = left.y - CELL.height / 2;
  const rect = `<rect class="words" x="${left.x - 5}" y="${top}" width="${length + 2}"`;
  const words = `<text x="${left.x - 4}" y="${left.y + 4}">${escaped(text)}</text>`;
  return `  ${rect} height="${CELL.height}"/>${words}`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
