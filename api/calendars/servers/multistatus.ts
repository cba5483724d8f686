// WebDAV's answers about many resources (RFC 4918, 13), as far as calendars need them: names count without the prefixes
// that each server chooses for their namespaces. A server may answer what it likes, and short answers are read on the
// API's own thread, so elements that stand in one another without end are not read.
import { Parser } from 'htmlparser2';
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

interface Element {
  /** In lower case, without a prefix. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: Element[];
  /** Also of what stands in it. */
  text: string;
}

const RESPONSES_MAX = 20_000;
/** A property has four elements around it. The time of the parser grows with the square of the depth. */
const DEPTH_MAX = 32;

/** @throws {CalendarFailed} */
export function resourcesIn(xml: string, base: string): DavResource[] {
  const root = childrenOf(elementIn(xml), 'multistatus');
  if (root.length === 0) throw new CalendarFailed('its server answers with something that is no WebDAV');
  const responses = root.flatMap((each) => childrenOf(each, 'response'));
  if (responses.length > RESPONSES_MAX) throw new CalendarFailed(`it has more than ${RESPONSES_MAX} events`, true);
  return responses.flatMap((response) => {
    const href = absolute(textIn(response, 'href'), base);
    if (href === null) return [];
    const properties = childrenOf(response, 'propstat')
      .filter((each) => / 200( |$)/.test(textIn(each, 'status').trim()))
      .flatMap((each) => childrenOf(each, 'prop'));
    const property = (name: string): Element | undefined =>
      properties.flatMap((each) => each.children).find((each) => each.name === name);
    return {
      href,
      text: (name) => property(name)?.text ?? null,
      hrefIn: (name) => absolute(textIn(property(name), 'href'), base),
      namesIn: (name) => property(name)?.children.map((each) => each.name) ?? [],
      attributesIn: (name, attribute) =>
        property(name)?.children.flatMap((each) => each.attributes[attribute] ?? []) ?? [],
    } satisfies DavResource;
  });
}

const childrenOf = ({ children }: Element, name: string): Element[] => children.filter((each) => each.name === name);

/** Of the first such element; empty where there is none. */
const textIn = (element: Element | undefined, name: string): string =>
  element?.children.find((each) => each.name === name)?.text ?? '';

/** A nameless element around the whole. @throws {CalendarFailed} */
function elementIn(xml: string): Element {
  const whole: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [whole];
  const last = (): Element => open.at(-1) ?? whole;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length > DEPTH_MAX) throw new CalendarFailed('its server answers with something that is no WebDAV');
        const element: Element = { name: name.replace(/^.*:/, '').toLowerCase(), attributes, children: [], text: '' };
        last().children.push(element);
        open.push(element);
      },
      ontext(text) {
        last().text += text;
      },
      onclosetag() {
        const closed = open.pop();
        if (closed !== undefined) last().text += closed.text;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return whole;
}

function absolute(href: string, base: string): string | null {
  const text = href.trim();
  return text !== '' && URL.canParse(text, base) ? new URL(text, base).href : null;
}
