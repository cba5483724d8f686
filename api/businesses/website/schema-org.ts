// The schema.org data of a web page, from JSON-LD or microdata, as plain nodes.
import type { CheerioAPI } from 'cheerio/slim';

export type SchemaNode = Record<string, unknown>;
/** The elements of a cheerio selection. */
type PageElement = Exclude<Parameters<CheerioAPI>[0], string | undefined>;

/** Real opening hours never nest deeper; a hostile page may. */
const DEPTH_MAX = 12;
const NODES_MAX = 2_000;
/** Bound for hostile pages: each item is searched separately, with everything inside it. */
const ITEMS_MAX = 200;
const PROPERTIES_MAX = 500;

/** Every node of the page, nested ones included. */
export function schemaNodes($: CheerioAPI): SchemaNode[] {
  const nodes: SchemaNode[] = [];
  $('script[type="application/ld+json"]').each((_, element) => {
    try {
      collect(JSON.parse($(element).text()), nodes, 0);
    } catch {
      // A broken block does not spoil the others.
    }
  });
  $('[itemscope]:not([itemprop])')
    .slice(0, ITEMS_MAX)
    .each((_, element) => collect(microdata($, element, 0), nodes, 0));
  return nodes;
}

function collect(value: unknown, nodes: SchemaNode[], depth: number): void {
  if (value === null || typeof value !== 'object' || depth > DEPTH_MAX || nodes.length >= NODES_MAX) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, nodes, depth + 1);
    return;
  }
  if ('@type' in value) nodes.push(value as SchemaNode);
  for (const item of Object.values(value)) collect(item, nodes, depth + 1);
}

/** https://html.spec.whatwg.org/multipage/microdata.html#values */
function microdata($: CheerioAPI, root: PageElement, depth: number): SchemaNode {
  const type = $(root).attr('itemtype')?.split(/\s+/)[0]?.split('/').pop() ?? 'Thing';
  const node: SchemaNode = { '@type': type };
  if (depth > DEPTH_MAX) return node;
  $(root)
    .find('[itemprop]')
    .slice(0, PROPERTIES_MAX)
    .each((_, element) => {
      // Only the root's own properties; those of a nested item belong to that item.
      if (!$(element).parent().closest('[itemscope]').is($(root))) return;
      const name = $(element).attr('itemprop')?.split(/\s+/)[0] ?? '';
      const value =
        $(element).attr('itemscope') === undefined ? propertyValue($, element) : microdata($, element, depth + 1);
      const earlier = node[name];
      node[name] = earlier === undefined ? value : [earlier, value].flat();
    });
  return node;
}

function propertyValue($: CheerioAPI, element: PageElement): string {
  const of = (name: string) => $(element).attr(name);
  const value = of('content') ?? of('datetime') ?? ($(element).is('a, link') ? of('href') : null);
  return (value ?? $(element).text()).trim();
}

export const typesOf = (node: SchemaNode): string[] =>
  [node['@type']].flat().map((type) => String(type).split('/').pop() ?? '');

/** The text of a value: a text, a number, a list of these, or a node with a name. */
export function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return textOf(value[0]);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.replace(/\s+/g, ' ').trim() || null;
  if (value !== null && typeof value === 'object') return textOf((value as SchemaNode).name);
  return null;
}
