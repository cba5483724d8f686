// WebDAV's answers about many resources (RFC 4918, 13), as far as calendars need them: names count without the prefixes
// that each server chooses for their namespaces.
import { type CheerioAPI, load } from 'cheerio/slim';
import { CalendarFailed } from './calendar-failed.ts';

export interface DavResource {
  /** Absolute. */
  href: string;
  /** The text of a property; null: it has none. */
  text(name: string): string | null;
  /** The address in a property. */
  hrefIn(name: string): string | null;
  /** Names of the elements in a property. */
  namesIn(name: string): string[];
  /** Values of an attribute of the elements in a property. */
  attributesIn(name: string, attribute: string): string[];
}

type Node = ReturnType<CheerioAPI>;

const RESPONSES_MAX = 20_000;

/** @throws {CalendarFailed} */
export function resourcesIn(xml: string, base: string): DavResource[] {
  const $ = load(xml, { xml: true });
  const localName = (node: Node): string =>
    String(node.prop('tagName') ?? '')
      .replace(/^.*:/, '')
      .toLowerCase();
  const children = (node: Node, name: string): Node => node.children().filter((_, each) => localName($(each)) === name);
  const root = $.root()
    .children()
    .filter((_, each) => localName($(each)) === 'multistatus');
  if (root.length === 0) throw new CalendarFailed('its server answers with something that is no WebDAV');
  const responses = children(root, 'response').toArray();
  if (responses.length > RESPONSES_MAX) throw new CalendarFailed(`it has more than ${RESPONSES_MAX} events`, true);
  return responses.flatMap((response) => {
    const href = absolute(children($(response), 'href').first().text(), base);
    if (href === null) return [];
    const found = children($(response), 'propstat').filter((_, each) =>
      / 200( |$)/.test(children($(each), 'status').text().trim()),
    );
    const property = (name: string): Node => children(children(found, 'prop'), name).first();
    return {
      href,
      text: (name) => (property(name).length === 0 ? null : property(name).text()),
      hrefIn: (name) => absolute(children(property(name), 'href').first().text(), base),
      namesIn: (name) =>
        property(name)
          .children()
          .toArray()
          .map((each) => localName($(each))),
      attributesIn: (name, attribute) =>
        property(name)
          .children()
          .toArray()
          .flatMap((each) => $(each).attr(attribute) ?? []),
    } satisfies DavResource;
  });
}

function absolute(href: string, base: string): string | null {
  const text = href.trim();
  return text !== '' && URL.canParse(text, base) ? new URL(text, base).href : null;
}
