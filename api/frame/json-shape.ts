// Faults of a JSON text that are looked for before it is parsed.

const DEPTH_MAX = 64;
/** Fifty for each of 1,000 contacts. An object of a hundred thousand keys takes longer to create than to check. */
const KEYS_MAX = 50_000;

/**
 * The fault of a JSON text before it is parsed. `deep`: it nests deeper than any of our schemas, and recursive code
 * would run out of stack. `wide`: it has more keys than any legitimate body.
 */
export function faultOfShape(text: string): 'deep' | 'wide' | null {
  let depth = 0;
  let keys = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > DEPTH_MAX) return 'deep';
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x3a && ++keys > KEYS_MAX) return 'wide';
  }
  return null;
}
