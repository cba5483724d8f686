// Which version leads a call, where several share the calls: by a hash of the number, so that whoever calls again, or
// is called again, meets the same one.

export interface SplitPart {
  version: number;
  /** In per cent. */
  share: number;
}

const BUCKETS = 10_000;

/**
 * 0 to 9,999, evenly. FNV-1a of the UTF-16 units, mixed by the finaliser of MurmurHash3: FNV alone leaves numbers that
 * differ in their last digit close together.
 */
export function bucketOf(salt: string, number: string): number {
  const text = `${salt} ${number}`;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % BUCKETS;
}

/** Withheld numbers are all alike: no share of them can be taken. */
export const isKnownNumber = (number: string | null): number is string =>
  number !== null && number !== '' && number.toLowerCase() !== 'anonymous';

/**
 * The version of a part; null where there are none. Without a number it is the one with the greatest share.
 * @param parts whose shares sum to 100
 */
export function chosenVersion(parts: readonly SplitPart[], salt: string, number: string | null): number | null {
  if (!isKnownNumber(number)) {
    const [greatest] = [...parts].sort((a, b) => b.share - a.share);
    return greatest?.version ?? null;
  }
  const bucket = bucketOf(salt, number);
  let end = 0;
  for (const { version, share } of parts) {
    end += (share / 100) * BUCKETS;
    if (bucket < end) return version;
  }
  return parts.at(-1)?.version ?? null;
}
