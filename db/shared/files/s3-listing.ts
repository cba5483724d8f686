// Reads an object store's XML. The documents are flat lists of few elements, so expressions are enough.

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|quot|apos|amp));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** The text of the first element of this name; null if there is none. */
export function elementOf(xml: string, name: string): string | null {
  const start = xml.indexOf(`<${name}>`);
  if (start < 0) return null;
  const end = xml.indexOf(`</${name}>`, start);
  return end < 0 ? null : decoded(xml.slice(start + name.length + 2, end));
}

/** The contents of all elements of these names, in their order. */
function* elementsOf(xml: string, names: readonly string[]): Generator<string> {
  for (const name of names) {
    for (const piece of xml.split(`<${name}>`).slice(1)) {
      const end = piece.indexOf(`</${name}>`);
      if (end >= 0) yield piece.slice(0, end);
    }
  }
}

interface Listing {
  objects: Array<{ key: string; bytes: number }>;
  /** Where the next page begins; null on the last one. */
  next: string | null;
}

/** ListObjectsV2. */
export function readListing(xml: string): Listing {
  const objects = [...elementsOf(xml, ['Contents'])].map((item) => ({
    key: elementOf(item, 'Key') ?? '',
    bytes: Number(elementOf(item, 'Size') ?? 0),
  }));
  const isMore = elementOf(xml, 'IsTruncated') === 'true';
  return { objects, next: isMore ? elementOf(xml, 'NextContinuationToken') : null };
}

/** ListObjectVersions: every version and every mark of a deletion. */
export function readVersions(xml: string): { versions: Array<{ key: string; versionId: string }>; isMore: boolean } {
  const versions = [...elementsOf(xml, ['Version', 'DeleteMarker'])].map((item) => ({
    key: elementOf(item, 'Key') ?? '',
    versionId: elementOf(item, 'VersionId') ?? 'null',
  }));
  return { versions, isMore: elementOf(xml, 'IsTruncated') === 'true' };
}
